"""Reads and edits a map by the doors of the standards as QGIS does; prints what came, as JSON.

python3 edit-with-qgis.py URL TOKEN: URL is the address of the service; the project `demo` has the map `m` with the layer `towns`."""

import json
import os
import sys
from urllib.parse import quote

os.environ.setdefault('QT_QPA_PLATFORM', 'offscreen')
from qgis.core import (  # noqa: E402
    Qgis,
    QgsApplication,
    QgsDataSourceUri,
    QgsFeature,
    QgsFeatureRequest,
    QgsGeometry,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsNetworkAccessManager,
    QgsPointXY,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorLayer,
    QgsVectorTileLayer,
    QgsCoordinateReferenceSystem,
    QgsRaster,
)
from qgis.PyQt.QtCore import QSize  # noqa: E402
from qgis.PyQt.QtGui import QColor  # noqa: E402

url, token = sys.argv[1:3]
QgsApplication.setPrefixPath('/usr', True)
app = QgsApplication([], False)
app.initQgis()
requests = []
network = QgsNetworkAccessManager.instance()
messages = []
QgsApplication.messageLog().messageReceived.connect(
    lambda text, tag, level: messages.append(f'{tag}: {text}') if level != Qgis.Info else None
)


def log(layer):
    if not layer.isValid():
        raise SystemExit(f'{layer.providerType()} {layer.source()}\n' + '\n'.join(messages))


def source(address, **more):
    uri = QgsDataSourceUri()
    uri.setParam('url', address)
    for name, value in more.items():
        uri.setParam(name, value)
    return uri.uri(False)


def vector(provider, address, typename, **more):
    layer = QgsVectorLayer(source(address, typename=typename, **more), typename, provider)
    log(layer)
    return layer


def features(layer, request=None):
    found = layer.getFeatures(request) if request else layer.getFeatures()
    return [[f['name'], f['people'], f.geometry().asPoint().x() if not f.geometry().isMultipart() else None] for f in found]


def described(layer):
    return {
        'fields': {field.name(): field.typeName() for field in layer.fields()},
        'crs': layer.crs().authid(),
        'type': layer.wkbType(),
        'count': layer.featureCount(),
    }


def box(layer):
    request = QgsFeatureRequest().setFilterRect(QgsRectangle(9.95, 49, 10.25, 51))
    return sorted(name for name, *_ in features(layer, request))


def picture(layer, crs, extent):
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(QgsCoordinateReferenceSystem(crs))
    settings.setExtent(QgsRectangle(*extent))
    settings.setOutputSize(QSize(256, 256))
    settings.setBackgroundColor(QColor(255, 255, 255))
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    image = job.renderedImage()
    red = sum(
        1
        for x in range(0, 256)
        for y in range(0, 256)
        if QColor(image.pixel(x, y)).green() < 100 and QColor(image.pixel(x, y)).red() > 150
    )
    return {'red': red, 'errors': [error.message for error in job.errors()]}


def identified(layer, point, around):
    answer = layer.dataProvider().identify(point, QgsRaster.IdentifyFormatFeature, around, 256, 256)
    return [
        [store.crs().authid(), feature.geometry().contains(point)]
        for stores in answer.results().values()
        for store in stores
        for feature in store.features()
    ]


def edited(layer):
    """Adds, changes and removes a feature, and saves after each."""
    if not layer.startEditing():
        return 'not editable'
    feature = QgsFeature(layer.fields())
    feature['name'] = 'From QGIS'
    feature['people'] = 12
    feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(8, 47)))
    layer.addFeature(feature)
    if not layer.commitChanges(False):
        return layer.commitErrors()
    made = next(layer.getFeatures(QgsFeatureRequest().setFilterExpression("name = 'From QGIS'")))
    layer.changeAttributeValue(made.id(), layer.fields().indexOf('people'), 13)
    layer.changeGeometry(made.id(), QgsGeometry.fromPointXY(QgsPointXY(8.5, 47)))
    if not layer.commitChanges(False):
        return layer.commitErrors()
    gone = next(layer.getFeatures(QgsFeatureRequest().setFilterExpression("name = 'Town 25'")))
    layer.deleteFeature(gone.id())
    if not layer.commitChanges():
        return layer.commitErrors()
    return 'saved'


def begun(layer):
    """Adds the first feature of a layer, and saves it."""
    layer.startEditing()
    feature = QgsFeature(layer.fields())
    feature['name'] = 'First'
    feature.setGeometry(QgsGeometry.fromWkt('Polygon((8 47, 9 47, 9 48, 8 47))'))
    layer.addFeature(feature)
    return layer.commitChanges() or layer.commitErrors()


result = {'version': Qgis.QGIS_VERSION, 'parts': {}}
parts = result['parts']

oapif = vector('OAPIF', f'{url}/ogc/demo/m', 'towns')
parts['oapif'] = {**described(oapif), 'features': features(oapif), 'box': box(oapif)}
oapif.setSubsetString("name = 'Town 3'")
parts['oapif']['filtered'] = [name for name, *_ in features(oapif)]

wfs = vector('WFS', f'{url}/wfs/demo/m', 'map:towns', version='2.0.0', srsname='EPSG:4326')
parts['wfs'] = {**described(wfs), 'features': features(wfs), 'box': box(wfs)}
wfs.setSubsetString("SELECT * FROM towns WHERE people > 2000 AND name LIKE 'Town%'")
parts['wfs']['filtered'] = sorted(name for name, *_ in features(wfs))

editable = vector('WFS', f'{url}/wfs/demo/m?token={token}', 'map:towns', version='2.0.0', srsname='EPSG:4326')
parts['wfs']['edited'] = edited(editable)
first = vector('WFS', f'{url}/wfs/demo/m?token={token}&geometry=polygon', 'map:first', version='2.0.0', srsname='EPSG:4326')
parts['wfs']['begun'] = begun(first)
# QGIS edits by OGC API Features from 3.28 on.
if Qgis.QGIS_VERSION_INT >= 32800:
    parts['oapif']['edited'] = edited(vector('OAPIF', f'{url}/ogc/demo/m?token={token}', 'towns'))

# The layer `area` is red between 8 and 12 degrees east, 48 and 52 degrees north.
around = (1_000_000, 6_200_000, 1_300_000, 6_500_000)
degrees = (8.5, 48.5, 11.5, 51.5)
utm = (600_000, 5_400_000, 700_000, 5_500_000)
wms = f'contextualWMSLegend=0&dpiMode=7&featureCount=10&format=image/png&layers=area&styles=&url={url}/wms/demo/m/'
layer = QgsRasterLayer(f'crs=EPSG:25832&{wms}', 'area', 'wms')
log(layer)
parts['wms'] = {
    'pictures': [
        picture(QgsRasterLayer(f'crs={crs}&{wms}', 'area', 'wms'), crs, extent)
        for crs, extent in (('EPSG:3857', around), ('EPSG:4326', degrees), ('EPSG:25832', utm))
    ],
    'identified': identified(layer, QgsPointXY(650_000, 5_450_000), QgsRectangle(*utm)),
}
for name, sets, crs, extent in (
    ('WebMercatorQuad', 'WebMercatorQuad', 'EPSG:3857', around),
    ('WorldCRS84Quad', 'WorldCRS84Quad', 'CRS:84', degrees),
    ('projected', 'EPSG25832', 'EPSG:25832', utm),
):
    address = f'{url}/wmts/demo/m/1.0.0/WMTSCapabilities.xml'
    layer = QgsRasterLayer(
        f'crs={crs}&format=image/png&layers=area&styles=default&tileMatrixSet={sets}&url={address}', sets, 'wms'
    )
    log(layer)
    parts[name] = picture(layer, 'EPSG:4326' if crs == 'CRS:84' else crs, extent)
layer = QgsRasterLayer(f'type=xyz&url={url}/tiles/demo/m/{{z}}/{{x}}/{{y}}.png&zmin=0&zmax=24', 'xyz', 'wms')
log(layer)
parts['xyz'] = picture(layer, 'EPSG:3857', around)
address = f'{url}/tiles/demo/m/{{z}}/{{x}}/{{y}}.mvt?fields=*'
layer = QgsVectorTileLayer(f'type=xyz&url={quote(address)}&styleUrl={quote(f"{url}/tiles/demo/m/style.json")}&zmin=0&zmax=14', 'mvt')
log(layer)
parts['mvt'] = {'style': layer.loadDefaultStyle(), **picture(layer, 'EPSG:3857', around)}
result['messages'] = messages
print(json.dumps(result, default=str))
sys.stdout.flush()
os._exit(0)
