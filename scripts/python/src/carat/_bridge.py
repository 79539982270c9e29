"""Started by carat as a bot's program: hands lines to the Python process that asked for the study, and back."""

import os
import socket
import sys

host, port, secret = os.environ["CARAT_PYTHON_BOTS"].split()
with socket.create_connection((host, int(port))) as link, link.makefile("rw", encoding="utf-8") as lines:
    lines.write(f"{secret} {sys.argv[1]}\n")
    for line in sys.stdin:
        lines.write(line)
        lines.flush()
        answer = lines.readline()
        if not answer:
            sys.exit("the function raised an exception")
        sys.stdout.write(answer)
        sys.stdout.flush()
