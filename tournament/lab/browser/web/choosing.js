// What a person has touched, and which of the legal actions it can still mean. The list comes from the rules; nothing
// here knows one. A choice says which places of the drawing it takes from, and the place that it goes to.
function goalOf(choice) {
  if (choice.to !== null) return choice.to;
  return choice.gap === null ? null : `gap ${choice.gap}`;
}

class Choosing {
  constructor(choices) {
    this.choices = choices;
    this.clear();
  }

  clear() {
    this.taken = new Set();
    this.goal = null;
    this.named = null; // the one choice that a key, a hint or the list has named
  }

  get isEmpty() {
    return this.taken.size === 0 && this.goal === null && this.named === null;
  }

  // The places of the choices that fit what is touched, in their order.
  fitting(taken = this.taken, goal = this.goal) {
    const places = [];
    this.choices.forEach((choice, index) => {
      if (goal !== null && goalOf(choice) !== goal) return;
      if ([...taken].every((spot) => choice.takes.includes(spot))) places.push(index);
    });
    return places;
  }

  // Those of them that take nothing else.
  exact(taken = this.taken, goal = this.goal) {
    return this.fitting(taken, goal).filter((index) => this.choices[index].takes.length === taken.size);
  }

  mayTake(spot) {
    return this.choices.some((choice) => choice.takes.includes(spot));
  }

  // Whether touching a place keeps what is touched already.
  goesWith(spot) {
    return this.fitting(new Set([...this.taken, spot])).length > 0;
  }

  mayGoTo(spot) {
    return this.fitting(this.taken, spot).length > 0;
  }

  // Shows one choice as if everything in it had been touched.
  name(index) {
    const choice = this.choices[index];
    this.taken = new Set(choice.takes);
    this.goal = goalOf(choice);
    this.named = index;
  }

  // Takes a touch on a place that lies within others, innermost first. Returns the choice that is made by it, or null.
  touch(spots) {
    if (this.named !== null && !spots.some((spot) => this.taken.has(spot) || spot === this.goal)) this.clear();
    this.named = null;
    for (const spot of spots) {
      if (this.taken.has(spot)) return this.again(spot);
      if (spot === this.goal) {
        this.goal = null;
        return null;
      }
      if (this.goesWith(spot)) {
        this.taken.add(spot);
        return null;
      }
      if (this.mayGoTo(spot)) return this.goTo(spot);
    }
    const fresh = spots.find((spot) => this.mayTake(spot));
    this.clear();
    if (fresh !== undefined) this.taken.add(fresh);
    else this.goal = spots.find((spot) => this.mayGoTo(spot)) ?? null;
    return null;
  }

  again(spot) {
    const left = this.fitting();
    if (this.goal === null && left.length === 1 && this.exact().length === 1) return left[0];
    this.taken.delete(spot);
    this.goal = null;
    return null;
  }

  goTo(spot) {
    this.goal = spot;
    const made = this.taken.size ? this.exact() : [];
    return made.length === 1 ? made[0] : null;
  }

  // The choices that get a button: few, those that take nothing but what is touched first.
  offered(most) {
    if (this.named !== null) return [this.named];
    if (this.isEmpty) {
      return this.choices.map((_, index) => index).filter((index) => this.choices[index].takes.length === 0).slice(0, most);
    }
    const exact = this.exact();
    if (exact.length > most) return [];
    const size = (index) => this.choices[index].takes.length;
    const others = this.fitting().filter((index) => !exact.includes(index)).sort((a, b) => size(a) - size(b));
    return [...exact, ...others].slice(0, most);
  }
}
