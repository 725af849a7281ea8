"""Run inside of Blender: opens exported files and prints where it sees their vertices.

    blender -b --factory-startup -P blender_positions.py -- FOLDER

FOLDER has frame.obj, frame.ply, animation.glb, and NAME.obj with NAME.pc2."""

import json
import pathlib
import sys

import bpy
import numpy

if not hasattr(numpy, "bool"):  # of numpy 1.24, which Blender 3.4's importer of glTF does not know
    numpy.bool = bool

folder = pathlib.Path(sys.argv[sys.argv.index("--") + 1])


def empty():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def meshes():
    return [item for item in bpy.data.objects if item.type == "MESH"]


def seen(item):
    """Vertices as modifiers, shape keys and the item's place leave them."""
    graph = bpy.context.evaluated_depsgraph_get()
    made = item.evaluated_get(graph)
    mesh = made.to_mesh()
    points = [tuple(made.matrix_world @ vertex.co) for vertex in mesh.vertices]
    made.to_mesh_clear()
    return points


def open_obj(file):
    """Axes as in the file."""
    if hasattr(bpy.ops.wm, "obj_import") and "obj_import" in dir(bpy.ops.wm):
        bpy.ops.wm.obj_import(filepath=str(file), forward_axis="Y", up_axis="Z")
    else:
        bpy.ops.import_scene.obj(filepath=str(file), axis_forward="Y", axis_up="Z", split_mode="OFF")


found = {"version": bpy.app.version_string}
empty()
open_obj(folder / "frame.obj")
found["obj"] = {item.name: seen(item) for item in meshes()}

empty()
if "ply_import" in dir(bpy.ops.wm):
    bpy.ops.wm.ply_import(filepath=str(folder / "frame.ply"), forward_axis="Y", up_axis="Z")
else:
    bpy.ops.import_mesh.ply(filepath=str(folder / "frame.ply"))
found["ply"] = [seen(item) for item in meshes()]

found["pc2"] = {}
for cache in sorted(folder.glob("*.pc2")):
    empty()
    open_obj(cache.with_suffix(".obj"))
    (item,) = meshes()
    modifier = item.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format = "PC2"
    modifier.filepath = str(cache)
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
    modifier.frame_start = 0
    found["pc2"][cache.stem] = []
    for frame in (0, 3, 6):
        bpy.context.scene.frame_set(frame)
        found["pc2"][cache.stem].append(seen(item))

empty()
bpy.context.scene.render.fps = 50
bpy.ops.import_scene.gltf(filepath=str(folder / "animation.glb"))
found["glb"] = {}
for frame in (0, 3, 6):
    bpy.context.scene.frame_set(frame)
    for item in meshes():
        found["glb"].setdefault(item.name, []).append(seen(item))
print("FOUND " + json.dumps(found))
