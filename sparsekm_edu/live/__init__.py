"""The engine of the explorers: state -> picture -> view, on a canvas that follows the hand. It knows of no kernel.

canvas draws and carries, explorer joins state, picture and view, points makes them draggable, player steps through
algorithms, rails holds points on rows, controls are the sliders, memory keeps what need not be computed again.
"""
