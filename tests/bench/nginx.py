# SPDX-License-Identifier: GPL-3.0-or-later
"""nginx as a peer: one that stores and serves a folder, and one in front of it that only passes on."""

import contextlib
import os
import pathlib
import socket
import subprocess
import time

COMMON = """
pid {folder}/{name}.pid;
error_log {folder}/{name}.log;
worker_processes auto;
daemon off;
{user}
events {{ worker_connections 512; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  default_type application/octet-stream;
  client_max_body_size 0;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
{servers}
}}
"""

STORE = """  server {{
    listen 127.0.0.1:{port};
    listen unix:{folder}/store.sock;
    root {root};
    location / {{ dav_methods PUT DELETE; create_full_put_path on; }}
  }}"""

# Nothing is kept on the disk in between: boxdeck-host does not either.
FRONT = """  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://unix:{folder}/store.sock;
      proxy_http_version 1.1;
      proxy_max_temp_file_size 0;
      proxy_request_buffering off;
    }}
  }}"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(folder, name, servers):
    path = folder / f"{name}.conf"
    user = "user root;" if os.geteuid() == 0 else ""
    path.write_text(COMMON.format(folder=folder, name=name, user=user, servers=servers))
    return subprocess.Popen(["nginx", "-e", str(folder / f"{name}.log"), "-p", str(folder), "-c", str(path)],
                            stdin=subprocess.DEVNULL)


@contextlib.contextmanager
def pair(folder):
    """Gives the folder that is served, the address of the one that stores and serves, and of the one in front of it."""
    folder = pathlib.Path(folder)
    root = folder / "www"
    root.mkdir()
    store, front = free_port(), free_port()
    running = [start(folder, "store", STORE.format(port=store, folder=folder, root=root)),
               start(folder, "front", FRONT.format(port=front, folder=folder))]
    try:
        for port in (store, front):
            end = time.monotonic() + 10
            while True:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                if time.monotonic() > end or any(one.poll() is not None for one in running):
                    raise RuntimeError("nginx did not start: " + (folder / "store.log").read_text())
        yield root, f"http://127.0.0.1:{store}", f"http://127.0.0.1:{front}"
    finally:
        for one in running:
            one.terminate()
            one.wait(10)
