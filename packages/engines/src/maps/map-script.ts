/** `maps.py`: reads a map with one GDAL driver and writes it with another. */
export const mapScript = String.raw`import json
import os
import re
import sys

from osgeo import gdal, ogr, osr

from copying import Report, copy, name_of, refuse, survey
from shapes import pack_shapes, unpack_shapes

for one in (gdal, ogr, osr):
    one.UseExceptions()

DRIVERS = {"geojson": "GeoJSON", "kml": "LIBKML", "gpx": "GPX", "gml": "GML", "gpkg": "GPKG", "fgb": "FlatGeobuf",
           "shz": "ESRI Shapefile", "csv": "CSV"}
OPEN = {"gml": ["DOWNLOAD_SCHEMA=NO", "WRITE_GFS=NO", "EXPOSE_FID=NO", "EXPOSE_GML_ID=NO"], "gpkg": ["LIST_ALL_TABLES=NO"]}
CREATE = {"gml": ["FORMAT=GML3.2", "XSISCHEMA=OFF", "WRITE_FEATURE_BOUNDED_BY=NO"], "gpx": ["GPX_USE_EXTENSIONS=YES"]}
# What a file may name is never looked up, and no driver is loaded from a folder.
SETTINGS = {"GML_SKIP_RESOLVE_ELEMS": "ALL", "SHAPE_RESTORE_SHX": "YES", "GPX_ELE_AS_25D": "YES", "GDAL_NUM_THREADS": "1"}
GPX_LAYERS = {"all": ("waypoints", "routes", "tracks"), "waypoints": ("waypoints",), "routes": ("routes",), "tracks": ("tracks",),
              "points": ("track_points", "route_points")}

for number in reversed(range(gdal.GetDriverCount())):
    if gdal.GetDriver(number).ShortName not in DRIVERS.values():
        gdal.GetDriver(number).Deregister()


def open_map(ask, report):
    kind, path = ask["from"], ask["input"]
    if os.path.getsize(path) > ask["limits"]["bytes"]:
        refuse("bytes")
    # What is not named inside the file would be called like the file, whose name is ours.
    names = {os.path.splitext(path)[0]: "map"}
    if kind == "shz":
        path, names = unpack_shapes(path, ask["limits"], report)
    flags = gdal.OF_VECTOR | gdal.OF_READONLY
    return gdal.OpenEx(path, flags, allowed_drivers=[DRIVERS[kind]], open_options=OPEN.get(kind, [])), names


def layers_of(dataset, names, ask, report):
    count = dataset.GetLayerCount()
    if count > ask["limits"]["layers"]:
        refuse("layers")
    found = [dataset.GetLayer(n) for n in range(count)]
    if ask["from"] == "gpx":
        wanted = GPX_LAYERS[ask["layers"]]
        points = next((layer for layer in found if layer.GetName() == "track_points"), None)
        if "tracks" in wanted and points is not None and any(one.IsFieldSetAndNotNull("time") for one in points):
            report.warn("times")
        found = [layer for layer in found if layer.GetName() in wanted]
    return [(names.get(name_of(layer), name_of(layer)), layer) for layer in found]


def count_placemarks(path, found, report):
    """GDAL passes over placemarks that are not where the standard wants them."""
    with open(path, "rb") as file:
        written = sum(1 for _ in re.finditer(rb"<(?:[A-Za-z0-9]+:)?Placemark[ />\t\r\n]", file.read()))
    if written > found:
        report.warn("placemarks", written - found)


def convert(ask, report):
    for name, value in SETTINGS.items():
        gdal.SetConfigOption(name, value)
    dataset, names = open_map(ask, report)
    surveyed = survey(layers_of(dataset, names, ask, report), ask["limits"])
    if ask["from"] == "kml":
        count_placemarks(ask["input"], sum(layer.count for layer in surveyed), report)
    layers = [layer for layer in surveyed if layer.count > 0]
    if not layers:
        refuse("empty")
    target = ask["to"]
    path = "shapes" if target == "shz" else ask["output"]
    driver = gdal.GetDriverByName(DRIVERS[target])
    output = driver.Create(path, 0, 0, 0, gdal.GDT_Unknown, CREATE.get(target, []))
    copy(layers, output, target, report)
    output.Close()
    if target == "shz":
        pack_shapes(path, ask["output"])


def main():
    with open("maps.json", encoding="utf-8") as file:
        ask = json.load(file)
    report = Report()
    # Only what is wrong is raised; what GDAL remarks on while it reads is none of the owner's business.
    gdal.PushErrorHandler("CPLQuietErrorHandler")
    try:
        convert(ask, report)
    except (RuntimeError, UnicodeError) as error:
        sys.stderr.write(repr(error)[:1000])
        refuse("damaged")
    report.write()
`
