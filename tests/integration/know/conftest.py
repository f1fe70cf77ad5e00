"""The set-up Node parts and a running calculator for the tests of game knowledge."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from porimon.showdown.calculator.client import Calculator
from porimon.showdown.calculator.service import CalculatorService
from porimon.showdown.node import NodeParts, prepare_node_parts


@pytest.fixture(scope="session")
def node_parts() -> NodeParts:
    return prepare_node_parts()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(node_parts: NodeParts) -> AsyncIterator[CalculatorService]:
    async with CalculatorService(node_parts) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def calculator(service: CalculatorService) -> AsyncIterator[Calculator]:
    async with Calculator(service) as client:
        yield client
