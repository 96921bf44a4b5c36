#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""luft db serve: what it answers, and what it refuses: methods, bodies, hosts, paths, sizes, slow and many clients.

usage: tests/cli/test_db_serve.py PATH-OF-LUFT
"""
import concurrent.futures
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests", "support"))
from report import Report  # noqa: E402

luft = os.path.abspath(sys.argv[1])
report = Report()
GAMES = os.path.join(ROOT, "tests", "data", "pgn", "classics.pgn")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class Server:
    def __init__(self, folder):
        database = os.path.join(folder, "games.luftdb")
        page = os.path.join(folder, "page")
        os.makedirs(os.path.join(page, ".hidden"))
        for name, text in [("index.html", "<p>page"), ("app.js", "1"), (".hidden/x.html", "secret"), ("../secret.html", "secret")]:
            with open(os.path.join(page, name), "w", encoding="ascii") as file:
                file.write(text)
        os.symlink(os.path.join(folder, "secret.html"), os.path.join(page, "link.html"))
        subprocess.run([luft, "db", "create", "--quiet", database, GAMES], check=True)
        self.process = subprocess.Popen([luft, "db", "serve", "--port", "0", "--web", page, database],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        address = self.process.stdout.readline()
        self.port = urllib.parse.urlparse(address.strip()).port

    def ask(self, path, method="GET", host=None, body=None):
        """Status, headers and body of the answer; status 0 if the connection was closed."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            connection.putheader("Host", host or f"127.0.0.1:{self.port}")
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        except (http.client.HTTPException, OSError):
            return 0, {}, b""
        finally:
            connection.close()

    def get(self, path, **values):
        status, _, body = self.ask(path + ("?" + urllib.parse.urlencode(values) if values else ""))
        return status, json.loads(body) if body else None

    def send_raw(self, text):
        with socket.create_connection(("127.0.0.1", self.port), timeout=120) as raw:
            try:
                raw.sendall(text)
                raw.shutdown(socket.SHUT_WR)
                return raw.recv(4096)
            except OSError:
                return b""

    def is_alive(self):
        return self.get("/api/info")[0] == 200


def check_answers(server):
    status, info = server.get("/api/info")
    report.check("info", status == 200 and info["games"] == 2 and info["plies"] == 78, info)
    status, found = server.get("/api/explore", moves="e4 e5")
    moves = {move["san"]: move["games"] for move in found["moves"]}
    report.check("explore after moves", status == 200 and found["games"] == 2 and moves == {"f4": 1, "Nf3": 1}, found)
    status, found = server.get("/api/explore", fen=START)
    report.check("explore a FEN", status == 200 and [(move["uci"], move["games"], move["white"]) for move in found["moves"]] == [("e2e4", 2, 2)], found)
    status, found = server.get("/api/search", query="white morphy checkmate")
    report.check("search", status == 200 and found["count"] == 1 and found["games"][0]["ply"] == 33 and found["games"][0]["white"] == "Morphy, Paul", found)
    status, found = server.get("/api/search", query="checkmate", limit=1)
    report.check("search with a limit", status == 200 and len(found["games"]) == 1, found)
    status, game = server.get("/api/games/2")
    report.check("a game", status == 200 and "17. Rd8# 1-0" in game["pgn"].replace("\n", " ") and game["result"] == "1-0", game)
    status, headers, body = server.ask("/")
    report.check("the page", status == 200 and body == b"<p>page" and headers["Content-Type"].startswith("text/html"), headers)
    status, headers, body = server.ask("/app.js", "HEAD")
    report.check("HEAD has no body", status == 200 and body == b"" and headers["Content-Length"] == "1", headers)
    _, headers, _ = server.ask("/api/info")
    wanted = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin", "Referrer-Policy": "no-referrer",
              "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Cache-Control": "no-store"}
    report.check("strict headers", all(headers.get(name) == value for name, value in wanted.items()) and "Access-Control-Allow-Origin" not in headers, headers)


def check_refusals(server):
    for path, status in [("/api/", 404), ("/api/nothing", 404), ("/api/games/3", 404), ("/api/games/0", 404), ("/api/games/-1", 404),
                         ("/api/games/99999999999999999999", 404), ("/api/explore?fen=x", 400), ("/api/explore?moves=e5", 400),
                         ("/api/search", 400), ("/api/search?query=knight", 400), ("/api/search?query=check&limit=0", 400),
                         ("/api/search?query=check&limit=1001", 400), ("/api/search?query=" + "(" * 5000, 400),
                         ("/nothing.html", 404), ("/../secret.html", 404), ("/%2e%2e/secret.html", 404), ("/..%2fsecret.html", 404),
                         ("/%2e%2e%2fsecret.html", 404), ("/link.html", 404), ("/.hidden/x.html", 404), ("//secret.html", 404),
                         ("/nothing%00.js", 404), ("/%00../secret.html", 200), ("/" + "a" * 3000, 404)]:
        answer, _, body = server.ask(path)
        report.check(f"{status}: {path[:40]}", answer == status and b"secret" not in body and (status == 200 or "error" in json.loads(body)), (answer, body[:100]))
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "NONSENSE"]:
        status, headers, _ = server.ask("/api/info", method)
        report.check(f"the method {method} is refused", status == 405 and headers["Allow"] == "GET, HEAD", (status, headers))
    status, _, _ = server.ask("/api/info", "POST", body=b"x" * 100000)
    report.check("a body is refused", status in (0, 405), status)
    for host in ["evil.example", f"evil.example:{server.port}", "127.0.0.1", f"localhost.evil.example:{server.port}"]:
        report.check(f"the host {host.split(':')[0]} is refused", server.ask("/api/info", host=host)[0] == 421)
    report.check("localhost is this host", server.ask("/api/info", host=f"localhost:{server.port}")[0] == 200)
    for name, text in [("a request line of 1 MB", b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1\r\n\r\n"), ("random bytes", os.urandom(4096)),
                       ("headers of 1 MB", b"GET /api/info HTTP/1.1\r\n" + b"A: b\r\n" * 180000 + b"\r\n"), ("nothing", b"")]:
        answer = server.send_raw(text)
        report.check(f"{name}: refused", not answer.startswith(b"HTTP/1.1 200") and server.is_alive(), answer[:100])


def check_load(server):
    def work(number):
        return [server.ask(f"/api/explore?moves=e4&n={number}")[0], server.ask("/../secret.html")[0], server.ask("/api/search?query=check")[0]]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(40)))
    report.check("eight clients at once", all(result == [200, 404, 200] for result in results), results)
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
    for each in idle:
        each.sendall(b"GET /api/info HT")
    report.check("answers beside 20 clients that do not finish", server.is_alive())
    if os.environ.get("LUFT_TEST_LONG"):
        began = time.monotonic()
        try:
            while time.monotonic() - began < 60:
                idle[0].sendall(b"T")
                time.sleep(1)
        except OSError:
            pass
        report.check("a client that sends byte by byte is cut off", time.monotonic() - began < 45)
    for each in idle:
        each.close()


def main():
    with tempfile.TemporaryDirectory() as folder:
        helped = subprocess.run([luft, "db", "serve", "--help"], capture_output=True, text=True, check=False)
        if "compiled without" in helped.stderr + helped.stdout:
            report.skip("luft db serve", "built without SQLite or libmicrohttpd")
            report.finish()
        server = Server(folder)
        check_answers(server)
        check_refusals(server)
        check_load(server)
        addresses = [line.split()[1] for line in open("/proc/net/tcp", encoding="ascii") if f":{server.port:04X} " in line and " 0A " in line]
        report.check("listens on 127.0.0.1 only", addresses == [f"0100007F:{server.port:04X}"], addresses)
        busy = subprocess.run([luft, "db", "serve", "--port", str(server.port), os.path.join(folder, "games.luftdb")], capture_output=True, text=True, check=False)
        report.check("a port in use: one line", busy.returncode == 1 and busy.stderr.count("\n") == 1 and "cannot listen" in busy.stderr, busy.stderr)
        server.process.send_signal(signal.SIGTERM)
        _, errors = server.process.communicate(timeout=120)
        report.check("ends on a signal", server.process.returncode == 0 and errors == "", (server.process.returncode, errors))
    report.finish()


main()
