"""Tests of the page: fingers and the keyboard of a touch screen."""
import time

from lab import frames, gesture_test, widget


@gesture_test
def one_finger_turns_and_two_pan_and_pinch(lab):
    with lab.page("#scene=welcome&seed=7&run=pause", touch=True) as page:
        frames(page)

        before = page.evaluate("bvlab.report().camera")
        touches(page, "touchStart", (450, 200))
        for i in range(1, 8):
            touches(page, "touchMove", (450 + 12 * i, 200))
        touches(page, "touchEnd")
        frames(page)
        turned = page.evaluate("bvlab.report().camera")
        assert turned["yaw_rad"] != before["yaw_rad"] and turned["target"] == before["target"]
        touches(page, "touchStart", (450, 200))
        touches(page, "touchStart", (450, 200), (500, 200))
        for i in range(1, 8):
            touches(page, "touchMove", (450 - 4 * i, 200 + 5 * i), (500 + 4 * i, 200 + 5 * i))
        touches(page, "touchEnd")
        frames(page)
        moved = page.evaluate("bvlab.report().camera")
        assert moved["distance"] < turned["distance"] and moved["target"] != turned["target"]
        assert moved["yaw_rad"] == turned["yaw_rad"]
        # A long press opens the menu.
        # Of the bodies in the free part of the view.
        x, y = next(at for at in page.evaluate("bvlab.report().body_list.map((body) => body.window_px)")
                    if at and 340 < at[0] < 620 and 150 < at[1] < 400)
        assert page.evaluate("!Object.keys(bvlab.report().widgets).some((name) => name.startsWith('context.'))")
        touches(page, "touchStart", (x, y))
        page.wait_for("Object.keys(bvlab.report().widgets).some((name) => name.startsWith('context.'))", 20)
        touches(page, "touchEnd")
        frames(page)
        assert page.evaluate("Object.keys(bvlab.report().widgets).some((name) => name.startsWith('context.'))"), "it stays"
        assert page.evaluate("bvlab.report().camera") == moved


@gesture_test
def a_double_tap_sets_the_orbit_center(lab):
    with lab.page("#scene=welcome&seed=7&run=pause", touch=True) as page:
        frames(page)
        x, y = next(at for at in page.evaluate("bvlab.report().body_list.map((body) => body.window_px)")
                    if at and 340 < at[0] < 620 and 150 < at[1] < 400)
        before = page.evaluate("bvlab.report().camera")
        start = time.time() - 0.4
        for i, at in enumerate(((x - 4, y), (x + 5, y + 4))):  # no finger meets a place twice
            touches(page, "touchStart", at, time_s=start + 0.2 * i)
            touches(page, "touchEnd", time_s=start + 0.2 * i + 0.1)
        frames(page)
        after = page.evaluate("bvlab.report().camera")
        menu = page.evaluate("Object.keys(bvlab.report().widgets).filter((name) => name.startsWith('context.'))")
        assert not menu, f"a long press: {menu}"
        assert after["target"] != before["target"] and after["yaw_rad"] == before["yaw_rad"], (before, after, (x, y))
        nearest = page.evaluate("Math.min(...bvlab.report().body_list.map((body) => Math.hypot("
                                "body.window_px[0] - %d, body.window_px[1] - %d)))" % (x, y))
        assert nearest < 60, f"what was tapped stays near: {nearest}"


def touches(page, kind, *points, time_s=None):
    # Posted, since a wait for each answer would make a swipe over a slow page a long press.
    page.post("Input.dispatchTouchEvent",
              {"type": kind, "touchPoints": [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)],
               "timestamp": time.time() if time_s is None else time_s})


def tap(page, name, ratio):
    # At once: a slow frame between would make it a long press.
    touches(page, "touchStart", widget(page, name, ratio))
    touches(page, "touchEnd")
    frames(page, 5)


@gesture_test
def a_phone_has_one_panel_at_a_time_and_a_keyboard(lab):
    for width, height, ratio in ((390, 844, 1), (360, 740, 1)):
        with lab.page("#scene=aabb-overlap&run=pause", width=width, height=height, ratio=ratio, touch=True) as page:
            frames(page)
            assert page.evaluate("!('section.Scenes' in bvlab.report().widgets)")
            tap(page, "sheet.scenes", ratio)
            x, y = widget(page, "scene.welcome", ratio)
            touches(page, "touchStart", (x, y))
            for i in range(1, 9):
                touches(page, "touchMove", (x, y - 10 * i))
                frames(page, 1)
            touches(page, "touchEnd")
            frames(page)
            moved = page.evaluate("bvlab.report().widgets['scene.welcome']")
            assert moved is None or moved[1] / ratio < y - 50, (y, moved)
            assert page.evaluate("bvlab.report().scene") == "aabb-overlap", "a drag chooses nothing"
            page.evaluate("bvlab.run('palette')")
            frames(page, 4)
            page.wait_for("document.activeElement.id === 'typing'")
            page.send("Input.insertText", {"text": "scene obb-sxt"})
            frames(page)
            for _ in range(2):
                page.evaluate("""(() => { const field = document.getElementById('typing');
                    field.value = field.value.slice(0, -1); field.dispatchEvent(new InputEvent('input')); })()""")
                frames(page, 4)
            page.send("Input.insertText", {"text": "at"})
            frames(page)
            page.key("Enter", "Enter")
            page.wait_for("bvlab.report().scene === 'obb-sat'")
            page.wait_for("document.activeElement.id === 'canvas'")
            tap(page, "sheet.settings", ratio)
            x, y = widget(page, "sat.axis", ratio)
            before = page.evaluate("bvlab.report().handles")
            touches(page, "touchStart", (x, y))
            for i in range(1, 9):
                touches(page, "touchMove", (x + 8 * i, y))
                frames(page, 1)
            touches(page, "touchEnd")
            frames(page)
            assert page.evaluate("bvlab.report().handles") == before, "the slider moved, not what is behind it"
            (lab.scratch / f"phone-{width}.png").write_bytes(page.picture())


@gesture_test
def a_tap_on_a_text_field_opens_the_keyboard_at_once(lab):
    with lab.page("#scene=aabb-overlap&run=pause&set=ui.sheet=scenes", width=390, height=844, touch=True) as page:
        frames(page)
        page.evaluate("""window.addEventListener('pointerup', () => { window.lifted = bvlab.frames(); }, true);
            document.getElementById('typing').addEventListener('focus', () => { window.focused = bvlab.frames(); })""")
        touches(page, "touchStart", widget(page, "scene.search"))
        page.wait_for("bvlab.textUnderPointer()")
        touches(page, "touchEnd")
        page.wait_for("window.focused")
        assert page.evaluate("focused === lifted"), "only within the touch do browsers show a keyboard"
