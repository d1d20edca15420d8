import { Button } from '@mantine/core';
import { type ReactNode, useDeferredValue, useState } from 'react';
import fields from '../../common/fields.module.css';
import { IconPlus, IconSearch } from '../../common/icons.js';
import { useLanguage } from '../../common/texts/language.js';
import { normalize } from '../../common/texts/normalize.js';
import { clientOf } from '../client.js';
import shell from '../console.module.css';
import { DeleteDialog } from '../deletion/DeleteDialog.js';
import { useActions } from '../palette/actions.js';
import { useConsoleTexts } from '../texts/useConsoleTexts.js';
import { Unloaded } from '../Unloaded.js';
import { useLoaded } from '../useLoaded.js';
import classes from './catalog.module.css';
import { MakeMap } from './MakeMap.js';
import { MapItem } from './MapItem.js';
import { type CatalogSort, catalogSorts, sortMaps } from './sorts.js';
import type { CatalogMap } from './types.js';

const readMaps = (project: string, lng: string, signal: AbortSignal): Promise<CatalogMap[]> =>
  clientOf(project).get('/api/2.8/{project}/maps/', {
    params: { query: { lng, returnChanged: '1', returnObjects: '1' } },
    signal,
  });

/** The maps of a project, loaded again after every change. */
export function Catalog({ project }: { project: string }): ReactNode {
  const texts = useConsoleTexts();
  const { ui, texts: common } = useLanguage();
  const loaded = useLoaded(`${project} ${ui}`, (signal) => readMaps(project, ui, signal));
  const [phrase, setPhrase] = useState('');
  const [sort, setSort] = useState<CatalogSort>('changed');
  const [isMaking, setMaking] = useState(false);
  const [doomed, setDoomed] = useState<CatalogMap | null>(null);
  const [news, setNews] = useState('');
  useActions(() => ({
    label: texts.console,
    actions: [{ id: 'new-map', label: texts.newMap, run: () => setMaking(true) }],
  }));
  const asked = normalize(useDeferredValue(phrase).trim());
  const { value: maps, error, reload } = loaded;
  if (!maps) return <Unloaded error={error} project={project} onRetry={reload} />;
  const isFound = ({ name, code }: CatalogMap): boolean => normalize(`${name} ${code}`).includes(asked);
  const found = sortMaps(maps.filter(isFound), sort, ui);
  const done = (text: string): void => {
    setDoomed(null);
    setNews(text);
    reload();
  };
  return (
    <>
      <div className={classes.head}>
        <h1 className={shell.title}>{texts.mapsOf(project)}</h1>
        <label className={fields.find}>
          <IconSearch size={18} aria-hidden />
          <input
            type="search"
            placeholder={texts.findMap}
            aria-label={texts.findMap}
            value={phrase}
            onChange={(event) => {
              setPhrase(event.currentTarget.value);
              setNews('');
            }}
          />
        </label>
        <Button size="md" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setMaking(true)}>
          {texts.newMap}
        </Button>
      </div>
      <div className={classes.order}>
        <p className={classes.news} role="status">
          {news || common.mapCount(found.length)}
        </p>
        <SortChoice sort={sort} onChange={setSort} />
      </div>
      <MapGrid project={project} maps={found} isFiltered={maps.length > 0} onDelete={setDoomed} />
      {isMaking && <MakeMap project={project} onClose={() => setMaking(false)} />}
      {doomed && <DeleteMap project={project} map={doomed} onClose={() => setDoomed(null)} onDone={done} />}
    </>
  );
}

interface SortChoiceProps {
  sort: CatalogSort;
  onChange: (sort: CatalogSort) => void;
}

function SortChoice({ sort, onChange }: SortChoiceProps): ReactNode {
  const texts = useConsoleTexts();
  return (
    <label>
      {texts.sort}{' '}
      <select value={sort} onChange={(event) => onChange(event.currentTarget.value as CatalogSort)}>
        {catalogSorts.map((one) => (
          <option key={one} value={one}>
            {texts.sorts[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

interface DeleteMapProps {
  project: string;
  map: CatalogMap;
  onClose: () => void;
  onDone: (news: string) => void;
}

/** The dialog that deletes a map. */
function DeleteMap({ project, map, onClose, onDone }: DeleteMapProps): ReactNode {
  const texts = useConsoleTexts();
  const name = map.name || map.code;
  const params = { path: { map: map.code } };
  return (
    <DeleteDialog
      project={project}
      doomed={params.path}
      title={texts.removeTitle}
      name={name}
      remove={() => clientOf(project).delete('/api/2.8/{project}/{map}/', { params })}
      onClose={onClose}
      onDone={() => onDone(texts.removed(name))}
    />
  );
}

interface MapGridProps {
  project: string;
  maps: readonly CatalogMap[];
  /** Whether the project has maps, which the search may leave out. */
  isFiltered: boolean;
  onDelete: (map: CatalogMap) => void;
}

/** The maps that match the search, or the reason why there are none. */
function MapGrid({ project, maps, isFiltered, onDelete }: MapGridProps): ReactNode {
  const texts = useConsoleTexts();
  const { texts: common } = useLanguage();
  if (maps.length === 0 && isFiltered) return <p className={classes.none}>{common.nothingFound}</p>;
  if (maps.length === 0)
    return (
      <div className={classes.none}>
        <h2>{texts.noMaps}</h2>
        <p>{texts.noMapsHint}</p>
      </div>
    );
  return (
    <ul className={classes.grid}>
      {maps.map((map) => (
        <MapItem key={map.id} project={project} map={map} onDelete={() => onDelete(map)} />
      ))}
    </ul>
  );
}
