"""A headless Chromium, driven by its own protocol over a pipe: nothing to install beside the browser.

    with Browser() as browser:
        page = browser.open("http://127.0.0.1:8000/index.html", width=1280, height=720)
        page.evaluate("1 + 1")
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = [
    "--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
    "--disable-extensions", "--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio",
    "--no-default-browser-check", "--disable-features=Translate,MediaRouter", "--remote-debugging-pipe",
]


class Failure(Exception):
    pass


class Browser:
    def __init__(self, program=None, flags=()):
        program = program or shutil.which("chromium") or shutil.which("google-chrome")
        if not program:
            raise Failure("no chromium; ./dev web installs it")
        self.profile = tempfile.mkdtemp(prefix="bvlab-chromium-")
        to_read, self.output = os.pipe()
        self.input, to_write = os.pipe()

        def in_child():
            # The pair must not overlap the numbers that it is moved to.
            high_read, high_write = os.dup(to_read), os.dup(to_write)
            os.dup2(high_read, 3)
            os.dup2(high_write, 4)

        self.process = subprocess.Popen(
            [program, *FLAGS, *flags, f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=in_child, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number = 0
        self.bytes = b""
        self.pages = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close", timeout=10)
        except Failure:
            self.process.kill()
        self.process.wait(20)
        os.close(self.input)
        os.close(self.output)
        shutil.rmtree(self.profile, ignore_errors=True)

    def _receive(self, deadline):
        while b"\0" not in self.bytes:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                return None
            part = os.read(self.input, 1 << 20)
            if not part:
                raise Failure("the browser has ended")
            self.bytes += part
        message, self.bytes = self.bytes.split(b"\0", 1)
        return json.loads(message)

    def _hear(self, message):
        page = self.pages.get(message.get("sessionId"))
        if page and "method" in message:
            page.hear(message["method"], message["params"])
        elif page and message["id"] in page.unanswered:
            page.unanswered.remove(message["id"])
            if "error" in message:
                raise Failure(f"a posted call failed: {message['error'].get('message')}")

    def post(self, method, params=None, session=None):
        """Without waiting for the answer; its number."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.output, text):]
        return self.number

    def send(self, method, params=None, session=None, timeout=60):
        number = self.post(method, params, session)
        deadline = time.monotonic() + timeout
        while True:
            answer = self._receive(deadline)
            if answer is None:
                raise Failure(f"no answer to {method} in {timeout} s")
            if answer.get("id") == number:
                if "error" in answer:
                    raise Failure(f"{method}: {answer['error'].get('message')}")
                return answer.get("result", {})
            self._hear(answer)

    def wait(self, seconds):
        """Hears what the pages tell meanwhile."""
        deadline = time.monotonic() + seconds
        while (message := self._receive(deadline)) is not None:
            self._hear(message)

    def open(self, address, width=1280, height=720, ratio=1, touch=False):
        target = self.send("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.send("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        page = Page(self, target, session)
        self.pages[session] = page
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.send(domain + ".enable")
        page.resize(width, height, ratio)
        if touch:
            page.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
        page.go(address)
        return page


class Page:
    def __init__(self, browser, target, session):
        self.browser, self.target, self.session = browser, target, session
        self.complaints = []  # errors and warnings of its console, and what nothing caught
        self.requests = []
        self.chooser = None  # the file chooser that it has asked for
        self.unanswered = set()  # numbers of posted calls

    def hear(self, method, params):
        if method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(a.get("value", a.get("description", ""))) for a in params["args"]))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(params["entry"]["text"] + " " + params["entry"].get("url", ""))
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Page.fileChooserOpened":
            self.chooser = params["backendNodeId"]

    def send(self, method, params=None, timeout=60):
        return self.browser.send(method, params, self.session, timeout)

    def post(self, method, params=None):
        self.unanswered.add(self.browser.post(method, params, self.session))

    def settle(self, seconds=60):
        """Until all that was posted is answered: a question may overtake posted input."""
        deadline = time.monotonic() + seconds
        while self.unanswered:
            if time.monotonic() > deadline:
                raise Failure(f"{len(self.unanswered)} posted calls have no answer after {seconds} s")
            self.browser.wait(0.01)

    def go(self, address):
        self.send("Page.navigate", {"url": address})

    def resize(self, width, height, ratio=1):
        self.send("Emulation.setDeviceMetricsOverride",
                  {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": False})

    def evaluate(self, expression, timeout=180):
        answer = self.send("Runtime.evaluate", {"expression": expression, "awaitPromise": True,
                                                "returnByValue": True}, timeout)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failure(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def wait_for(self, expression, seconds=30):
        """Until it is true; its last value."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                value = self.evaluate(expression)
            except Failure as problem:  # while the page still loads
                value = None
                last = str(problem)
            else:
                last = value
            if value:
                return value
            if time.monotonic() > deadline:
                raise Failure(f"{expression} was not true within {seconds} s but {last}; {self.complaints[:5]}")
            self.browser.wait(0.05)

    def picture(self):
        """PNG bytes."""
        return base64.b64decode(self.send("Page.captureScreenshot", {"format": "png"})["data"])

    def mouse(self, kind, x, y, button="none", **more):
        self.send("Input.dispatchMouseEvent",
                  {"type": kind, "x": x, "y": y, "button": button,
                   "buttons": {"none": 0, "left": 1, "right": 2}[button], "clickCount": 1, **more})

    def key(self, key, code, mods=0, text=""):
        """Down and up. `mods`: 1 Alt, 2 Ctrl, 4 Meta, 8 Shift."""
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", {"type": kind, "key": key, "code": code, "modifiers": mods,
                                                 **({"text": text} if text and kind == "keyDown" else {})})

    def choose_files(self, ask, files):
        """Answers the file chooser that `ask` opens."""
        self.send("Page.setInterceptFileChooserDialog", {"enabled": True})
        self.chooser = None
        ask()
        deadline = time.monotonic() + 20
        while self.chooser is None:
            if time.monotonic() > deadline:
                raise Failure("the page did not ask for files")
            self.browser.wait(0.05)
        self.send("DOM.setFileInputFiles", {"files": [str(f) for f in files], "backendNodeId": self.chooser})

    def download_to(self, folder):
        self.browser.send("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})

    def click(self, x, y, button="left"):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button)
        self.mouse("mouseReleased", x, y, button)

    def drag(self, start, end, button="left", steps=8):
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start, button)
        for i in range(1, steps + 1):
            share = i / steps
            self.mouse("mouseMoved", start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]),
                       button)
        self.mouse("mouseReleased", *end, button)

    def close(self):
        self.browser.send("Target.closeTarget", {"targetId": self.target})
        self.browser.pages.pop(self.session, None)
