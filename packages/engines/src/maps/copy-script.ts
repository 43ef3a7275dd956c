/**
 * `copying.py`: copies the layers of one dataset to another, in coordinates and geometries that its format supports.
 */
export const copyScript = String.raw`import json
import sys

from osgeo import ogr, osr

# Their coordinates are degrees, and a table has no place to say what else they would be.
DEGREES = {"geojson", "kml", "gpx", "csv"}
ONE_LAYER = {"geojson", "fgb", "csv"}
LAYER_OPTIONS = {"geojson": ["RFC7946=YES", "COORDINATE_PRECISION=9", "WRITE_NAME=NO"], "csv": ["GEOMETRY=AS_WKT", "STRING_QUOTING=IF_NEEDED"],
                 "shz": ["ENCODING=UTF-8"], "fgb": ["TEMPORARY_DIR=."]}
KINDS = {ogr.wkbPoint: "point", ogr.wkbMultiPoint: "point", ogr.wkbLineString: "line", ogr.wkbMultiLineString: "line",
         ogr.wkbPolygon: "polygon", ogr.wkbMultiPolygon: "polygon"}


# What drivers set although no feature of the file has it, and boxes around features, which are worked out again.
DEFAULTS = {"tessellate": (-1,), "extrude": (-1, 0), "visibility": (-1,), "drawOrder": (0, -1)}
BOXES = {"lowerCorner", "upperCorner"}


class Report:
    """What the owner should know, each thing once, with how often it happened."""

    def __init__(self):
        self.found = {}

    def warn(self, word, times=1):
        self.found[word] = self.found.get(word, 0) + times

    def write(self):
        for word, times in self.found.items():
            print(json.dumps({"warning": word, "times": times}))


def refuse(word):
    """Ends the script; the plan knows the word."""
    sys.stderr.write("\nrefused: " + word + "\n")
    sys.exit(3)


class Surveyed:
    """A layer, and what is in it: the fields that have values, and the types of its shapes."""

    def __init__(self, name, layer):
        self.name, self.layer, self.count = name, layer, 0
        self.types, self.fields = set(), []


def name_of(named):
    """A name as text; GDAL hands out single bytes where it is not UTF-8."""
    name = named.GetName()
    raw = name.encode("utf-8", "surrogateescape") if isinstance(name, str) else name
    return raw.decode("utf-8", "replace")


def survey(layers, limits):
    made, left = [], limits["features"]
    for name, layer in layers:
        one = Surveyed(name, layer)
        definition = layer.GetLayerDefn()
        fields = [definition.GetFieldDefn(n) for n in range(definition.GetFieldCount())]
        defaults = [DEFAULTS.get(name_of(field), ()) for field in fields]
        used = [False] * len(fields)
        for feature in layer:
            one.count += 1
            left -= 1
            if left < 0:
                refuse("features")
            for n, known in enumerate(used):
                if not known and feature.IsFieldSetAndNotNull(n) and (not defaults[n] or feature.GetField(n) not in defaults[n]):
                    used[n] = True
            shape = feature.GetGeometryRef()
            one.types.add(shape.GetGeometryType() if shape is not None else ogr.wkbNone)
        boxes = BOXES if BOXES <= {name_of(field) for field in fields} else ()
        one.fields = [(n, fields[n]) for n, known in enumerate(used) if known and fields[n].GetName() not in boxes]
        made.append(one)
    return made


def degrees():
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(4326)
    reference.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    return reference


class Projection:
    """Brings the shapes of a layer into the coordinates of the output."""

    def __init__(self, layer, target, report):
        self.source = layer.GetSpatialRef()
        self.reference, self.change = self.source, None
        if target in DEGREES:
            self.reference = degrees()
            if self.source is None:
                west, east, south, north = layer.GetExtent()
                if west < -180.001 or east > 180.001 or south < -90.001 or north > 90.001:
                    refuse("projection")
            elif not self.source.IsSame(self.reference):
                self.source.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
                self.change = osr.CoordinateTransformation(self.source, self.reference)
        if self.source is None and layer.GetGeomType() != ogr.wkbNone:
            report.warn("reference")

    def shape(self, feature):
        shape = feature.GetGeometryRef()
        if shape is None:
            return None
        shape = shape.GetLinearGeometry() if shape.HasCurveGeometry() else shape.Clone()
        if self.change is not None:
            shape.Transform(self.change)
        return shape


def layer_options(target, names, layers):
    """The options of a driver for a layer. Columns of its own must not be called like those of the map."""
    own = LAYER_OPTIONS.get(target, [])
    if target == "gpkg":
        return ["FID=" + free_name("fid", names), "GEOMETRY_NAME=" + free_name("geom", names)]
    if target == "fgb" and any(ogr.wkbNone in one.types for one in layers):
        return own + ["SPATIAL_INDEX=NO"]
    return own


def free_name(name, taken):
    while name in taken:
        name += "_"
    return name


class Writer:
    """One layer of the output. Fields that are not given have no value anywhere."""

    def __init__(self, output, target, name, reference, kind, layers):
        names = {name_of(field).lower() for one in layers for _, field in one.fields}
        self.layer = output.CreateLayer(name, reference, kind, layer_options(target, names, layers))
        self.definition = self.layer.GetLayerDefn()
        self.places = {}
        merged = len(layers) > 1
        if merged:
            self.layer.CreateField(ogr.FieldDefn("layer_name" if "layer" in names else "layer", ogr.OFTString))
        for one in layers:
            for _, field in one.fields:
                self.add(field, target)

    def add(self, field, target):
        name = name_of(field)
        if name in self.places:
            return
        before = self.definition.GetFieldCount()
        made = ogr.FieldDefn(name, field.GetType())
        made.SetSubType(field.GetSubType())
        if target != "shz":
            made.SetWidth(field.GetWidth())
            made.SetPrecision(field.GetPrecision())
        self.layer.CreateField(made)
        grown = self.definition.GetFieldCount() > before
        self.places[name] = before if grown else self.definition.GetFieldIndex(name)

    def write(self, one, feature, shape, report, label=None):
        made = ogr.Feature(self.definition)
        places = [-1] * feature.GetFieldCount()
        for n, field in one.fields:
            places[n] = self.places[name_of(field)]
        made.SetFromWithMap(feature, 1, places)
        if label is not None:
            made.SetField(0, label)
        made.SetGeometry(shape)
        try:
            self.layer.CreateFeature(made)
        except RuntimeError:
            report.warn("failed")


def common(layers):
    types = set().union(*(one.types for one in layers))
    return types.pop() if len(types) == 1 else ogr.wkbUnknown


def each(one, projection, report):
    """Features with their shapes; those that have no place in the coordinates of the output are left out, with a warning."""
    one.layer.ResetReading()
    for feature in one.layer:
        try:
            yield feature, projection.shape(feature)
        except RuntimeError:
            report.warn("failed")


def copy(layers, output, target, report):
    projections = [Projection(one.layer, target, report) for one in layers]
    if target == "gpx":
        return copy_gpx(layers, projections, output, report)
    if target == "shz":
        return copy_shapes(layers, projections, output, report)
    if target in ONE_LAYER and len(layers) > 1:
        report.warn("merged", len(layers))
        if target == "fgb" and len({one.reference.ExportToWkt() if one.reference else "" for one in projections}) > 1:
            projections = [Projection(one.layer, "geojson", report) for one in layers]
        writer = Writer(output, target, "map", projections[0].reference, common(layers), layers)
        for one, projection in zip(layers, projections):
            for feature, shape in each(one, projection, report):
                writer.write(one, feature, shape, report, one.name)
        return
    for one, projection in zip(layers, projections):
        writer = Writer(output, target, one.name or "map", projection.reference, common([one]), [one])
        for feature, shape in each(one, projection, report):
            writer.write(one, feature, shape, report)


def parts_of(shape, kind):
    """The single shapes of one of several."""
    return [shape.GetGeometryRef(n).Clone() for n in range(shape.GetGeometryCount())] if ogr.GT_Flatten(shape.GetGeometryType()) == kind else [shape]


def copy_gpx(layers, projections, output, report):
    """GPX knows waypoints and tracks, in this order, and nothing that has an area."""
    written = 0
    for kind, name, type_ in (("point", "waypoints", ogr.wkbPoint), ("line", "tracks", ogr.wkbMultiLineString)):
        fitting = [one for one in layers if any(KINDS.get(ogr.GT_Flatten(known)) == kind for known in one.types)]
        if not fitting:
            continue
        writer = None
        for one, projection in zip(layers, projections):
            if one not in fitting:
                continue
            writer = writer or GpxWriter(output, name, projection.reference, type_, fitting)
            for feature, shape in each(one, projection, report):
                if shape is None or KINDS.get(ogr.GT_Flatten(shape.GetGeometryType())) != kind:
                    continue
                for part in parts_of(shape, ogr.wkbMultiPoint):
                    writer.write(one, feature, part, report)
                    written += 1
    fits = ("point", "line")
    lost = sum(1 for one in layers for feature in all_of(one) if KINDS.get(flat_type(feature)) not in fits)
    if written == 0:
        refuse("shapes")
    if lost:
        report.warn("shapes", lost)


class GpxWriter(Writer):
    """GPX has fields of its own; others go into extensions."""

    def __init__(self, output, name, reference, kind, layers):
        super().__init__(output, "gpx", name, reference, kind, layers[:1])
        for one in layers[1:]:
            for _, field in one.fields:
                self.add(field, "gpx")


def all_of(one):
    one.layer.ResetReading()
    return one.layer


def flat_type(feature):
    shape = feature.GetGeometryRef()
    return ogr.wkbNone if shape is None else ogr.GT_Flatten(shape.GetGeometryType())


def copy_shapes(layers, projections, output, report):
    """A shapefile holds one kind of shapes, and names of ten characters."""
    taken = set()
    for one, projection in zip(layers, projections):
        kinds = {KINDS.get(ogr.GT_Flatten(known), "none" if known == ogr.wkbNone else "other") for known in one.types}
        for kind in sorted(kinds - {"other"}):
            own = [known for known in one.types if KINDS.get(ogr.GT_Flatten(known), "none") == kind]
            several = any(ogr.GT_Flatten(known) == ogr.wkbMultiPoint for known in own)
            type_ = {"point": ogr.wkbMultiPoint if several else ogr.wkbPoint, "line": ogr.wkbLineString,
                     "polygon": ogr.wkbPolygon, "none": ogr.wkbNone}[kind]
            if kind != "none" and any(ogr.GT_HasZ(known) for known in own):
                type_ = ogr.GT_SetZ(type_)
            name = shape_name(one.name, kind if len(kinds) > 1 else "", taken)
            writer = Writer(output, "shz", name, projection.reference, type_, [one])
            for feature, shape in each(one, projection, report):
                if KINDS.get(flat_type(feature), "none" if shape is None else "other") == kind:
                    writer.write(one, feature, ogr.ForceToMultiPoint(shape) if several else shape, report)
        if "other" in kinds:
            report.warn("shapes", sum(KINDS.get(flat_type(feature)) is None for feature in all_of(one)))
        if any(len(name_of(field)) > 10 for _, field in one.fields):
            report.warn("names")


def shape_name(name, kind, taken):
    """A file name of plain letters."""
    plain = "".join(one if one.isascii() and one.isalnum() else "_" for one in name)[:40].strip("_") or "map"
    plain = plain + "_" + kind if kind else plain
    number, found = 1, plain
    while found.lower() in taken:
        number += 1
        found = plain + "_" + str(number)
    taken.add(found.lower())
    return found
`
