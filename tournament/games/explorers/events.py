"""Events of De store oppdagere in words: as sentences that a name can stand before, and in short."""

from __future__ import annotations

from tournament.games.cards import name_card
from tournament.games.explorers.types import Build, Discard, DrawSource, ExplorersEvent, StartExpedition
from tournament.languages import gettext


def tell_event(event: ExplorersEvent, seat: int | None) -> str:
    """Returns a sentence without who acted; a card from the stock is named only to the seat that drew it (15)."""
    action, card = event.action, name_card(event.card)
    if isinstance(action, StartExpedition):
        # Translators: here and below the name of who acts stands before this; {card} is such as: 10 of hearts.
        return gettext("starts an expedition with the {card}.", card=card)
    if isinstance(action, Build):
        return gettext("builds the {card} on its expedition {expedition}.", card=card, expedition=action.expedition)
    if isinstance(action, Discard):
        return gettext("discards the {card}.", card=card)
    if action.source != DrawSource.STOCK:
        return gettext("takes the {card} from the pile.", card=card)
    if seat == event.seat:
        return gettext("draws the {card} from the stock.", card=card)
    return gettext("draws a card from the stock.")


def tell_own_event(event: ExplorersEvent) -> str:
    """Returns a sentence to the seat that acted."""
    action, card = event.action, name_card(event.card)
    if isinstance(action, StartExpedition):
        return gettext("You start an expedition with the {card}.", card=card)
    if isinstance(action, Build):
        return gettext("You build the {card} on your expedition {expedition}.", card=card, expedition=action.expedition)
    if isinstance(action, Discard):
        return gettext("You discard the {card}.", card=card)
    if action.source != DrawSource.STOCK:
        return gettext("You take the {card} from the pile.", card=card)
    return gettext("You draw the {card} from the stock.", card=card)


def note_event(event: ExplorersEvent, seat: int | None) -> str:
    """Returns an event in short; a card from the stock is named only to the seat that drew it (15)."""
    action = event.action
    if isinstance(action, StartExpedition):
        # Translators: here and below the name of who acts and a colon stand before this; {card} is such as: 10H.
        return gettext("starts {card}", card=event.card)
    if isinstance(action, Build):
        return gettext("builds {card} on {expedition}", card=event.card, expedition=action.expedition)
    if isinstance(action, Discard):
        return gettext("discards {card}", card=event.card)
    if action.source != DrawSource.STOCK:
        return gettext("takes {card}", card=event.card)
    return gettext("draws {card}", card=event.card) if seat == event.seat else gettext("draws")
