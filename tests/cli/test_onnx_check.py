"""An ONNX model that might run forever is refused before it is run."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from counterflownet.cli.onnx_check import check_onnx
from counterflownet.cli.onnx_graph import operators
from counterflownet.errors import SavedFileError

FALSE_IDS, TRUE_IDS, MODES = [2, 0, 0], [1, 0, 0], ["BRANCH_LEQ", "LEAF", "LEAF"]


def model_of(*nodes) -> bytes:
    graph = helper.make_graph(nodes, "made", [], [])
    return helper.make_model(graph).SerializeToString()


def forest(true_ids=TRUE_IDS, false_ids=FALSE_IDS, node_ids=(0, 1, 2), modes=MODES) -> bytes:
    named = {"nodes_truenodeids": true_ids, "nodes_falsenodeids": false_ids, "nodes_modes": modes}
    return model_of(
        helper.make_node(
            "TreeEnsembleClassifier", ["x"], ["y"], nodes_treeids=[0, 0, 0], nodes_nodeids=list(node_ids), **named
        )
    )


def new_forest(true_ids, true_leafs) -> bytes:
    named = {"nodes_truenodeids": true_ids, "nodes_trueleafs": true_leafs}
    return model_of(
        helper.make_node("TreeEnsemble", ["x"], ["y"], nodes_falsenodeids=[0, 1], nodes_falseleafs=[1, 1], **named)
    )


@pytest.mark.parametrize("content", [forest(), forest(node_ids=(0, 2, 1)), new_forest([1, 0], [0, 1])])
def test_a_sound_forest_has_no_fault(content):
    check_onnx(content)


@pytest.mark.parametrize(
    "content",
    [
        forest(true_ids=[0, 0, 0]),
        forest(true_ids=[1, 0, 0], modes=["BRANCH_LEQ", "BRANCH_LEQ", "LEAF"]),
        new_forest([1, 0], [0, 0]),
        new_forest([7, 0], [0, 1]),
    ],
)
def test_a_tree_that_leads_back_to_itself_is_refused(content):
    with pytest.raises(SavedFileError, match="a tree leads back to itself"):
        check_onnx(content)


def test_nodes_of_one_number_are_refused():
    with pytest.raises(SavedFileError, match="two nodes of a tree have one number"):
        check_onnx(forest(node_ids=(0, 1, 1)))


def test_a_loop_is_refused_also_inside_a_branch():
    loop = helper.make_node("Loop", ["n"], ["y"], body=helper.make_graph([], "body", [], []))
    branch = helper.make_graph([loop], "branch", [], [])
    for node in (loop, helper.make_node("If", ["c"], ["y"], then_branch=branch, else_branch=branch)):
        with pytest.raises(SavedFileError, match="it contains Loop, which may run forever"):
            check_onnx(model_of(node))


def test_attributes_are_read_as_they_were_written():
    numbers = [0, 1, -1, 300, 2**62, -(2**63)]
    value = helper.make_tensor("t", TensorProto.FLOAT, [2], np.array([0.5, -1.0]))
    node = helper.make_node("Op", ["x"], ["y"], ints=numbers, strings=["a", ""], tensor=value, number=0.5)
    (read,) = operators(model_of(node))
    assert (read.name, read.ints("ints"), read.strings("strings")) == ("Op", numbers, [b"a", b""])
