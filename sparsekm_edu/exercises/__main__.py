"""python -m sparsekm_edu.exercises: what lecturers do with exercises."""

import argparse
import sys

from sparsekm_edu.exercises import assignment, grading

COMMANDS = {
    "assignment": (
        assignment,
        "write a notebook of chosen exercises, with and without solutions, and a handout",
    ),
    "grade": (grading, "run submitted notebooks and write a table"),
}


def main(words=None):
    """Run the command that the words of the command line ask for; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m sparsekm_edu.exercises", description=__doc__.split(": ")[1]
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, (module, help) in COMMANDS.items():
        command = commands.add_parser(name, help=help)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    arguments = parser.parse_args(words)
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
