"""Asks mapproxy for pictures whose sources are WMS and plain tiles of a map; prints the colours in their middles, as JSON.

python3 read-with-mapproxy.py URL FOLDER: URL is the address of the service; the project `demo` has the map `m` with the red layer `area`."""

import io
import json
import sys

from mapproxy.wsgiapp import make_wsgi_app
from PIL import Image

url, folder = sys.argv[1:3]
layers = ('wms', 'wms13', 'tiles')
configuration = f"""
services: {{ wms: {{ md: {{ title: t }} }} }}
layers: [{', '.join(f'{{ name: {name}, title: {name}, sources: [{name}_cache] }}' for name in layers)}]
caches: {{ {', '.join(f'{name}_cache: {{ grids: [GLOBAL_WEBMERCATOR], sources: [{name}] }}' for name in layers)} }}
sources:
  wms: {{ type: wms, wms_opts: {{ featureinfo: true }}, req: {{ url: '{url}/wms/demo/m/', layers: area, transparent: true }}, supported_srs: ['EPSG:3857', 'EPSG:25832'] }}
  wms13: {{ type: wms, wms_opts: {{ version: 1.3.0 }}, req: {{ url: '{url}/wms/demo/m/', layers: map.all }}, supported_srs: ['EPSG:4326'] }}
  tiles: {{ type: tile, grid: GLOBAL_WEBMERCATOR, url: '{url}/tiles/demo/m/%(z)s/%(x)s/%(y)s.png' }}
globals: {{ cache: {{ base_dir: '{folder}/cache', lock_dir: '{folder}/locks', tile_lock_dir: '{folder}/tile-locks' }} }}
"""
with open(f'{folder}/mapproxy.yaml', 'w') as file:
    file.write(configuration)
app = make_wsgi_app(f'{folder}/mapproxy.yaml')


def get(layer, **more):
    query = {
        'SERVICE': 'WMS', 'VERSION': '1.1.1', 'REQUEST': 'GetMap', 'LAYERS': layer, 'STYLES': '', 'SRS': 'EPSG:3857',
        'BBOX': '1001875,6274861,1224514,6621294', 'WIDTH': '64', 'HEIGHT': '64', 'FORMAT': 'image/png', **more,
    }
    environment = {
        'REQUEST_METHOD': 'GET', 'PATH_INFO': '/service', 'SCRIPT_NAME': '', 'SERVER_NAME': 'x', 'SERVER_PORT': '80',
        'HTTP_HOST': 'x', 'QUERY_STRING': '&'.join(f'{name}={value}' for name, value in query.items()),
        'wsgi.url_scheme': 'http', 'wsgi.input': io.BytesIO(), 'wsgi.errors': sys.stderr,
    }
    return b''.join(app(environment, lambda *_: None))


result = {name: Image.open(io.BytesIO(get(name))).convert('RGB').getpixel((32, 32)) for name in layers}
result['info'] = get('wms', REQUEST='GetFeatureInfo', QUERY_LAYERS='wms', X='32', Y='32', INFO_FORMAT='text/plain').decode()
print(json.dumps(result))
