# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests with the official Python SDK share: a real boxdeck-host that the SDK's environment points at.

Only inside an environment that has the SDK: see pypi_package.enter().
"""

import os
import unittest

from control_support import Host


class SdkTest(unittest.TestCase):
    maxDiff = None
    host_arguments = ()

    @classmethod
    def setUpClass(cls):
        cls.host = Host(arguments=cls.host_arguments)
        cls.addClassCleanup(cls.host.close)
        os.environ.update(E2B_API_URL=cls.host.ready["apiUrl"], E2B_SANDBOX_URL=cls.host.ready["sandboxUrl"],
                          E2B_VOLUME_API_URL=cls.host.ready["apiUrl"], E2B_API_KEY=cls.host.key)
        os.environ.pop("E2B_DEBUG", None)

    def create(self, *template, **options):
        from e2b import Sandbox
        sandbox = Sandbox.create(*template, **{"timeout": 120, **options})
        self.addCleanup(sandbox.kill)
        return sandbox
