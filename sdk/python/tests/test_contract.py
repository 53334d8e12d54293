"""The models against the exchange's own OpenAPI document.

A model has no field that the document does not have, and requires none that an answer may omit.
"""

from __future__ import annotations

import urllib.request
from decimal import Decimal
from typing import Any, get_args

import pytest

from bellwether_exchange import models
from bellwether_exchange.models import Model
from bellwether_exchange.numbers import decode
from bellwether_exchange.requests.trading import NewOrder

from .exchange import Exchange

SCHEMAS: dict[type[Model], list[str]] = {
    models.Activity: ["Activity"],
    models.AnnouncedTerms: ["AnnouncedTerms"],
    models.AuthCheck: ["AuthCheck"],
    models.BatchCancel: ["BatchCancelResponse"],
    models.BatchCancelItem: ["BatchCancelResult"],
    models.Book: ["Book"],
    models.Candle: ["Candle"],
    models.EventData: ["Event"],
    models.IssuedKey: ["IssuedApiKey"],
    models.ItemError: ["ItemError"],
    models.LeanEvent: ["LeanEvent"],
    models.Level: ["BookLevel"],
    models.MarketData: ["Market"],
    models.MarketTerms: ["MarketTerms"],
    models.Minted: ["MintResult", "BurnResult"],
    models.Movement: ["Movement"],
    models.OrderData: ["ClobOrder", "AmmOrder"],
    models.Pnl: ["Pnl"],
    models.Position: ["OutcomeBalance"],
    models.PositionEvent: ["PortfolioEvent"],
    models.PositionMarket: ["PortfolioMarket"],
    models.PricePoint: ["SeriesPoint"],
    models.Quote: ["Quote"],
    models.QuotedOrder: ["QuotedOrder"],
    models.QuotedRefusal: ["QuotedRefusal"],
    models.Series: ["Series"],
    models.Summary: ["Summary"],
    models.Ticker: ["Ticker"],
    models.Trade: ["Trade"],
    models.Version: ["Version"],
    models.Wallet: ["WalletAsset"],
}


@pytest.fixture(scope="module")
def document(exchange: Exchange) -> Any:
    with urllib.request.urlopen(f"{exchange.base_url}/openapi.json", timeout=60) as response:
        return decode(response.read())


PAIRS = [pytest.param(model, name, id=f"{model.__name__}-{name}") for model, names in SCHEMAS.items() for name in names]


@pytest.mark.parametrize(("model", "name"), PAIRS)
def test_a_model_has_only_fields_of_its_schema(document: Any, model: type[Model], name: str) -> None:
    schema = document["components"]["schemas"][name]
    properties = schema["properties"]
    for field_name, field in model.model_fields.items():
        if field.is_required():
            assert field.alias in schema["required"], f"{field_name} may be absent"
        elif len(SCHEMAS[model]) == 1:
            assert field.alias in properties, f"{field_name} does not exist"


@pytest.mark.parametrize(("model", "name"), PAIRS)
def test_every_fraction_is_a_decimal(document: Any, model: type[Model], name: str) -> None:
    schemas = document["components"]["schemas"]
    for field_name, field in model.model_fields.items():
        schema = schemas[name]["properties"].get(field.alias, {})
        reference = schema.get("$ref", "").rsplit("/", 1)[-1]
        kind = schemas[reference] if reference else schema
        if kind.get("type") == "number" or reference == "DecimalString":
            assert Decimal in (field.annotation, *get_args(field.annotation)), field_name


def test_every_public_model_is_compared() -> None:
    assert {getattr(models, name) for name in models.__all__} - set(SCHEMAS) == {Model}


def test_an_order_has_only_fields_that_the_exchange_reads(document: Any) -> None:
    order = NewOrder(
        "outcome", "BUY", amount=1, price=1, time_in_force="GTC", post_only=True, expires_at="2030-01-01T00:00:00Z",
        max_slippage=1, stp_mode="SKIP", client_order_id="x",
    )  # fmt: skip
    schema = document["components"]["schemas"]["PlaceOrder"]["allOf"][0]["properties"]
    assert set(order.fields()) | {"quantity"} == set(schema)
