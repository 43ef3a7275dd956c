"""Python values as LibreOffice takes them."""
import uno
from com.sun.star.beans import PropertyValue


def properties(values):
    return tuple(PropertyValue(name, 0, value, 0) for name, value in values.items())


def nested(values):
    return uno.Any("[]com.sun.star.beans.PropertyValue", properties(values))
