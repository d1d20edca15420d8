import { useEffect, useState } from 'react';
import type { MapView } from '../../../viewer/map/mapView.js';

/** The condition that an object is in the view of the map, which follows the map; null where it is off. */
export function useViewFilter(view: MapView | null, isOn: boolean): object | null {
  const [filter, setFilter] = useState<object | null>(null);
  useEffect(() => {
    if (!view || !isOn) return setFilter(null);
    let end = (): void => {};
    let isOver = false;
    void view.whenReady().then((map) => {
      if (isOver) return;
      const read = (): void => {
        const { _sw: sw, _ne: ne } = map.getBounds();
        setFilter(inBox(sw, ne));
      };
      read();
      map.on('moveend', read);
      end = () => map.off('moveend', read);
    });
    return () => {
      isOver = true;
      end();
    };
  }, [view, isOn]);
  return isOn ? filter : null;
}

interface Corner {
  lng: number;
  lat: number;
}

/** Degrees beyond the edges of the world are left out: the map may be turned further than once around. */
function inBox(sw: Corner, ne: Corner): object {
  const [west, east] = ne.lng - sw.lng >= 360 ? [-180, 180] : [Math.max(-180, sw.lng), Math.min(180, ne.lng)];
  const [south, north] = [Math.max(-90, sw.lat), Math.min(90, ne.lat)];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return {
    op: 's_intersects',
    args: [{ property: 'geom' }, { type: 'Polygon', coordinates: [ring] }],
  };
}
