"""The page of a seat as a person uses it: with taps, keys and drags."""

from __future__ import annotations

from pages import wait_for_change

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


class SeatPage:
    """A page at the table, and how one chooses on it."""

    def __init__(self, page, link=None):
        self.page = page
        if link is not None:
            page.goto(link)
        self.number = 0
        self.wait()

    def wait(self):
        """Waits for a later sheet on which one is to move, or for the end."""
        mine = "document.body.matches('.my-turn, .is-over')"
        wait_for_change(self.page, f"document.documentElement.dataset.number > {self.number} && {mine}")
        self.number = int(self.page.get_attribute("html", "data-number"))

    @property
    def is_over(self):
        return self.page.is_visible("#replay")

    @property
    def choices(self):
        """The legal actions, as the list of all choices has them."""
        if self.page.is_hidden("#all"):
            self.page.click("#list")
        words = self.page.eval_on_selector_all("#all button", "all => all.map((one) => one.dataset.words)")
        self.page.click("#list")
        return words

    def text(self, name):
        return self.page.text_content(f"#{name}")

    def spots(self, kind):
        """The names of the places that are marked in a way."""
        return self.page.eval_on_selector_all(f"#table .{kind}", "all => all.map((one) => one.dataset.spot)")

    def middle(self, spot):
        """Where one touches a place: of a card that others lie on, the part that is seen."""
        element = self.page.query_selector(f"[data-spot='{spot}']")
        element.scroll_into_view_if_needed()
        box = element.bounding_box()
        is_card = element.evaluate("one => one.matches('.card')")
        return box["x"] + (9 if is_card else box["width"] / 2), box["y"] + box["height"] / 2

    def tap(self, spot):
        self.page.touchscreen.tap(*self.middle(spot))

    def drag(self, spot, goal):
        mouse = self.page.mouse
        mouse.move(*self.middle(spot))
        mouse.down()
        x, y = self.middle(spot)
        mouse.move(x + 20, y - 20)
        mouse.move(*self.middle(goal), steps=3)
        mouse.up()

    def unfold(self, place):
        """Opens the list of all choices, and the groups in which a choice stands."""
        if self.page.is_hidden("#all"):
            self.page.click("#list")
        groups = self.page.locator("#all details", has=self.page.locator(f"[data-choice='{place}']"))
        for number in range(groups.count()):
            if groups.nth(number).get_attribute("open") is None:
                groups.nth(number).locator("> summary").click()

    def names_in_list(self):
        """By place, what a screen reader calls each button in the list, folded or not."""
        named = """all => all.map((one) => {
          const parts = [...one.children].map((part) => part.textContent);
          return [one.dataset.choice, one.ariaLabel ?? parts.join(" ")];
        })"""
        return {int(place): name for place, name in self.page.eval_on_selector_all("#all button", named)}

    def press_choice(self, place):
        self.page.click(f"#offered [data-choice='{place}']")

    def has_chosen(self):
        """Whether what was touched has made a choice, which is on its way or taken."""
        self.page.wait_for_timeout(50)
        here = self.page.query_selector("#offered button:not([disabled])")
        return int(self.page.get_attribute("html", "data-number")) > self.number or here is None

    def faults_of_layout(self):
        """Returns what has to be scrolled for, lies outside the window, or is too small to be touched or read."""
        return self.page.evaluate("""() => {
          const faults = [];
          const table = document.getElementById("table");
          if (table.scrollHeight > table.clientHeight + 1) faults.push(`the table is ${table.scrollHeight} high`);
          if (document.documentElement.scrollHeight > innerHeight) faults.push("the page is scrolled");
          for (const one of document.querySelectorAll(".seat, .moving, #hint, #back, #list, .centre")) {
            const box = one.getBoundingClientRect();
            const outside = box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1;
            if (outside) faults.push(one.className || one.id);
          }
          for (const one of document.querySelectorAll("[data-spot^='hand ']")) {
            const { width, height } = one.getBoundingClientRect();
            if (width < 40 || height < 56) faults.push(`${one.dataset.spot} is ${width} by ${height}`);
          }
          return faults;
        }""")
