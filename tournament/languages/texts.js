// Texts in the language of the page. It carries their translations by English text; an English page carries none.
const TEXTS = JSON.parse(document.getElementById("texts-data")?.textContent ?? "{}");
const LANGUAGE = document.documentElement.lang;
// As Python writes them: the groups of 1,000 are apart in every language.
const NUMBERS = new Intl.NumberFormat(LANGUAGE, { useGrouping: "always" });
// A text that counts has a form for each of these numbers; `speaking.py` has the same.
const SAMPLES = [1, 2, 5, 1_000_000];
const PLURALS = new Intl.PluralRules(LANGUAGE);

const ORDER = new Intl.Collator(LANGUAGE, { numeric: true });

// Orders names as the language of the page does: negative where the first comes first.
function compareNames(first, second) {
  return ORDER.compare(first, second);
}

function formatNumber(number) {
  return NUMBERS.format(number);
}

// A text with its values, which stand as {name} in it.
function gettext(message, values = {}) {
  return withValues(TEXTS[message]?.[0] ?? message, values);
}

// The form of a text that fits a number, which stands as {count} in it.
function ngettext(one, many, count, values = {}) {
  const kind = PLURALS.select(count);
  const sample = SAMPLES.findIndex((number) => PLURALS.select(number) === kind);
  const text = TEXTS[one]?.at(sample) ?? (kind === "one" ? one : many);
  return withValues(text, { count: formatNumber(count), ...values });
}

function withValues(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
