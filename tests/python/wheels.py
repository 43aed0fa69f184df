"""Wheels that bring a libgomp of their own, on loomp: loomp run python wheels.py LOOMP [OPTION...]

LOOMP is the command. scikit-learn is the wheel. Options are of unittest.
"""

import ctypes
import os
import subprocess
import sys
import unittest

import numpy
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingRegressor
from threadpoolctl import threadpool_info, threadpool_limits

LOOMP = sys.argv.pop(1)
POINTS = numpy.random.default_rng(1).normal(size=(1000, 4))


def clusters():
    """The labels that OpenMP threads have found."""
    return KMeans(3, n_init=1, random_state=1).fit(POINTS).labels_


def openmp():
    return [pool for pool in threadpool_info() if pool["user_api"] == "openmp"]


class Wheels(unittest.TestCase):
    def test_the_wheels_runtime_is_loomps(self):
        clusters()
        (pool,) = openmp()
        self.assertEqual(os.path.basename(os.path.dirname(pool["filepath"])), "compat")

    def test_a_process_has_one_runtime_and_loomp_info_says_so(self):
        clusters()
        said = subprocess.run([LOOMP, "info", "--process", str(os.getpid())], capture_output=True, text=True)
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertRegex(said.stdout, r"\nruntime +/.*/libloomp\.so\n")
        self.assertNotIn("scikit_learn.libs", said.stdout)

    def test_threadpoolctl_limits_threads(self):
        (before,) = openmp()
        runtime = ctypes.CDLL(before["filepath"])
        with threadpool_limits(1):
            self.assertEqual((openmp()[0]["num_threads"], runtime.omp_get_max_threads()), (1, 1))
            alone = clusters()
        self.assertEqual(openmp()[0]["num_threads"], before["num_threads"])
        numpy.testing.assert_array_equal(alone, clusters())

    def test_fork_after_a_region(self):
        before = clusters()
        child = os.fork()
        if child == 0:
            os._exit(0 if (clusters() == before).all() else 3)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_results_are_those_of_one_thread(self):
        many = HistGradientBoostingRegressor(max_iter=3, random_state=1).fit(POINTS[:, :3], POINTS[:, 3])
        alone = HistGradientBoostingRegressor(max_iter=3, random_state=1)
        with threadpool_limits(1):
            alone.fit(POINTS[:, :3], POINTS[:, 3])
        numpy.testing.assert_array_equal(many.predict(POINTS[:, :3]), alone.predict(POINTS[:, :3]))


if __name__ == "__main__":
    unittest.main()
