"""Reads a map by the doors of the standards as programs with OWSLib do; prints what came, as JSON.

python3 read-with-owslib.py URL: URL is the address of the service; the project `demo` has the map `m` with the layers `towns` and `area`."""

import json
import sys

from owslib.ogcapi.features import Features
from owslib.wfs import WebFeatureService
from owslib.wms import WebMapService
from owslib.wmts import WebMapTileService
from owslib.fes2 import PropertyIsGreaterThan
from owslib.etree import etree

url = sys.argv[1]
result = {}

door = Features(f'{url}/ogc/demo/m')
items = door.collection_items('towns', limit=10)
result['oapif'] = {
    'conformance': len(door.conformance()['conformsTo']) > 20,
    'api': door.api()['openapi'],
    'collections': sorted(door.feature_collections()),
    'queryables': sorted(door.collection_queryables('towns')['properties']),
    'items': [feature['properties']['name'] for feature in items['features']],
    'matched': items['numberMatched'],
    'bbox': [f['properties']['name'] for f in door.collection_items('towns', bbox=[9.95, 49, 10.25, 51])['features']],
}

wfs = WebFeatureService(f'{url}/wfs/demo/m', version='2.0.0')
condition = etree.tostring(PropertyIsGreaterThan(propertyname='people', literal='2200').toXML()).decode()
body = f"""<wfs:GetFeature xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:fes="http://www.opengis.net/fes/2.0" service="WFS" version="2.0.0"
  outputFormat="application/json"><wfs:Query typeNames="map:towns"><fes:Filter>{condition}</fes:Filter></wfs:Query></wfs:GetFeature>"""
# By GET OWSLib sends the filter under another name.
answer = wfs.getfeature(filter=body, method='POST')
result['wfs'] = {
    'contents': sorted(wfs.contents),
    'operations': sorted(operation.name for operation in wfs.operations),
    'box': wfs['map:towns'].boundingBoxWGS84,
    'schema': wfs.get_schema('map:towns'),
    'filtered': [feature['properties']['name'] for feature in json.loads(answer.read())['features']],
}

for version in ('1.1.1', '1.3.0'):
    wms = WebMapService(f'{url}/wms/demo/m/', version=version)
    place = {'layers': ['area'], 'styles': [''], 'srs': 'EPSG:4326', 'bbox': (8, 48, 12, 52), 'size': (64, 64)}
    picture, posted = (wms.getmap(**place, format='image/png', method=method).read() for method in ('Get', 'Post'))
    info = wms.getfeatureinfo(
        layers=['area'], query_layers=['area'], srs='EPSG:4326', bbox=(8, 48, 12, 52), size=(64, 64), xy=(32, 32),
        format='image/png', info_format='application/json',
    )
    result[f'wms {version}'] = {
        'contents': sorted(wms.contents),
        'picture': picture[1:4].decode(),
        'posted': posted == picture,
        'info': len(json.loads(info.read())['features']),
        'legend': wms['area'].styles['default'].get('legend', '').startswith(url),
    }

wmts = WebMapTileService(f'{url}/wmts/demo/m/1.0.0/WMTSCapabilities.xml')
tile = wmts.gettile(layer='area', tilematrixset='WebMercatorQuad', tilematrix='5', row=10, column=16, format='image/png')
result['wmts'] = {'contents': sorted(wmts.contents), 'sets': sorted(wmts.tilematrixsets), 'tile': tile.read()[1:4].decode()}
print(json.dumps(result, default=str))
