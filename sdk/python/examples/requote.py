"""Places two orders in one request, moves them in one request, and cancels them in one request."""

from decimal import Decimal

from bellwether_exchange import Amendment, Client

CENT = Decimal("0.01")


def main() -> None:
    """A round of quotes: place, amend, cancel."""
    with Client.from_env() as client:
        market = client.event("housing-bill-this-session").market
        batch = client.place(
            [
                market.yes.new_order("BUY", quantity=100, price="0.03", client_order_id="bid"),
                market.no.new_order("BUY", quantity=100, price="0.03", client_order_id="ask"),
            ]
        )
        for failed in batch.failures:
            print("failed:", failed.error)
        moved = client.amend([Amendment(order.id, price=order.price + CENT) for order in batch.orders])
        print("now at", *(order.price for order in moved.orders))
        cancelled = client.cancel([order.id for order in moved.orders])
        print("cancelled", cancelled.summary.succeeded)


if __name__ == "__main__":
    main()
