"""Start-up file of the kernels under test: no way out of this machine, and nothing written beside the notebook.

IPython runs the file named by PYTHONSTARTUP among the names of the notebook, so it leaves none of its own behind.
"""


def guard():
    import ipaddress
    import os
    import sys

    folder = os.getcwd()

    def refuse(event, args):
        """Python announces here whatever it is about to do; to raise is to forbid it."""
        host, path = asked_for(event, args), written(event, args)
        if host and not is_this_machine(host):
            raise AssertionError(f"the notebook wants to reach {host}")
        if path and os.path.abspath(os.fsdecode(path)).startswith(folder + os.sep):
            raise AssertionError(f"the notebook wants to write {path}")

    def asked_for(event, args):
        if event in ("socket.connect", "socket.sendto"):
            return args[1][0] if isinstance(args[1], tuple) else None  # no tuple: a file, not a machine
        return args[0] if event in ("socket.getaddrinfo", "socket.gethostbyname") else None

    def written(event, args):
        if event == "open":
            path, _, flags = args
            changes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            return path if changes and not isinstance(path, int) else None
        return args[0] if event == "os.mkdir" else args[1] if event == "os.rename" else None

    def is_this_machine(host):
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    sys.addaudithook(refuse)


guard()
del guard
