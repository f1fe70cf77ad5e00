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
async def calculator(node_parts: NodeParts) -> AsyncIterator[Calculator]:
    async with CalculatorService(node_parts) as service, Calculator(service) as client:
        yield client
