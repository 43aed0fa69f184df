"""A headless Chromium, driven over its DevTools protocol through a pair of pipes: no driver, no port."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium-headless-shell", "chromium")


class Failed(Exception):
    pass


def chromium():
    """Its path, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """Reads from descriptor 3 what we say, and answers on 4: JSON, with a zero byte after each object."""

    def __init__(self, width=1440, height=1000):
        program = chromium()
        if program is None:
            raise Failed("no chromium: scripts/setup test installs it")
        self.profile = tempfile.mkdtemp()
        to_read, self.to = os.pipe()
        self.source, to_write = os.pipe()

        # A shell gives them the numbers: preexec_fn might overwrite descriptors of Python's own.
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write}', "sh",
             program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile}", "--hide-scrollbars",
             f"--window-size={width},{height}", "about:blank"],
            pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.unread = b""
        self.number = 0
        self.session = None
        self.complaints = []  # of the console
        self.requests = []    # to the network, the page's own file left out
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def close(self):
        self.process.terminate()
        self.process.wait()
        os.close(self.to)
        os.close(self.source)
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **arguments):
        self.number += 1
        command = {"id": self.number, "method": method, "params": arguments}
        if self.session:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self.read()
            if answer.get("id") == command["id"]:
                if "error" in answer:
                    raise Failed(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def read(self, patience=120):
        while b"\0" not in self.unread:
            if not select.select([self.source], [], [], patience)[0]:
                raise Failed("chromium does not answer")
            part = os.read(self.source, 1 << 20)
            if not part:
                raise Failed("chromium ended")
            self.unread += part
        message, self.unread = self.unread.split(b"\0", 1)
        return json.loads(message)

    def note(self, event):
        method, what = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(one.get("value", one.get("description"))) for one in what["args"]))
        elif method == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
            self.complaints.append(what["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            url = what["request"]["url"]
            if what.get("type") != "Document" and not url.startswith("data:,"):
                self.requests.append(url)

    # The page's functions.

    def open(self, path):
        """Loads a file; returns the seconds until the page says that it is ready."""
        self.complaints.clear()
        self.requests.clear()
        start = time.monotonic()
        self.call("Page.navigate", url=f"file://{path}")
        self.wait("document.documentElement?.dataset.ready === 'true'", patience=60)
        return time.monotonic() - start

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise Failed(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return result["result"].get("value")

    def wait(self, condition, patience=10):
        end = time.monotonic() + patience
        while not self.evaluate(condition):
            if time.monotonic() > end:
                raise Failed(f"never: {condition}; the console says: {self.complaints}")
            time.sleep(0.02)

    def frame(self):
        """Until what has changed is drawn."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.frame()

    def drag(self, x, y, to_x, to_y, steps=8):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        for i in range(1, steps + 1):
            self.mouse("mouseMoved", x + (to_x - x) * i / steps, y + (to_y - y) * i / steps, button="left", buttons=1)
        self.mouse("mouseReleased", to_x, to_y, button="left", clickCount=1)
        self.frame()

    def wheel(self, x, y, by, modifiers=0):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=by, modifiers=modifiers)
        self.frame()

    def key(self, key):
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.frame()

    def type(self, text):
        self.call("Input.insertText", text=text)
        self.frame()

    def place(self, selector):
        """Left, top, width, height of an element, scrolled into view."""
        return self.evaluate(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: 'nearest'}}); const b = e.getBoundingClientRect();
            return [b.left, b.top, b.width, b.height]; }})()""")

    def press(self, selector):
        left, top, width, height = self.place(selector)
        self.click(left + width / 2, top + height / 2)

    def dark(self, on):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if on else "light"}])
        self.frame()

    def screenshot(self, path, whole=False):
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))
