import { type ReactNode, useState } from 'react';
import fields from '../../common/fields.module.css';
import type { SharingContext } from './context.js';
import { NoUsers } from './NoUsers.js';
import {
  grantedOn,
  inheritedOn,
  type Level,
  levels,
  type Place,
  type Principal,
  putGrant,
} from './overview.js';
import classes from './rights.module.css';
import { useRightsTexts } from './useRightsTexts.js';
import { useSent } from './useSent.js';

/** Most layers beside project and map. */
const maxLayers = 12;

/** Users and groups over project, map and layers. What is not granted on a place shows what it inherits. */
export function RightsMatrix(context: SharingContext): ReactNode {
  const texts = useRightsTexts();
  const [phrase, setPhrase] = useState('');
  const { map, items } = context.workspace;
  const layers = items.filter(({ type }) => type !== 'folder');
  const found = layers.filter(({ name, code }) =>
    `${name} ${code}`.toLowerCase().includes(phrase.trim().toLowerCase()),
  );
  const places: Place[] = [
    { name: texts.project },
    { map: map.code, name: texts.map },
    ...found
      .slice(0, maxLayers)
      .map(({ code, name }) => ({ map: map.code, layer: code, name: name || code })),
  ];
  const missing = layers.length - Math.min(found.length, maxLayers);
  return (
    <>
      <p className={classes.hint}>{texts.rightsHint}</p>
      {layers.length > maxLayers && (
        <label className={fields.field}>
          {texts.findLayer}
          <input type="search" value={phrase} onChange={(event) => setPhrase(event.target.value)} />
        </label>
      )}
      {missing > 0 && <p className={classes.hint}>{texts.moreLayers(missing)}</p>}
      <Matrix {...context} places={places} />
      {!context.state.overview?.users.length && <NoUsers project={context.workspace.project} />}
    </>
  );
}

function Matrix({ places, ...context }: SharingContext & { places: readonly Place[] }): ReactNode {
  const texts = useRightsTexts();
  const { users, groups } = context.state.overview!;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section className={classes.scroll} aria-label={texts.tabRights} tabIndex={0}>
      <table className={`${classes.matrix} ${fields.compact}`}>
        <thead>
          <tr>
            <th scope="col">{texts.principal}</th>
            {places.map((place) => (
              <th key={`${place.map}/${place.layer}`} scope="col">
                {place.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row {...context} principal={{ user: 'public' }} name={texts.public} places={places} />
          {groups.map(({ name }) => (
            <Row
              key={`group ${name}`}
              {...context}
              principal={{ group: name }}
              name={texts.group(name)}
              places={places}
            />
          ))}
          {users.map(({ login, name }) => (
            <Row
              key={`user ${login}`}
              {...context}
              principal={{ user: login }}
              name={name ? `${name} (${login})` : login}
              places={places}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RowProps extends SharingContext {
  principal: Principal;
  name: string;
  places: readonly Place[];
}

function Row({ principal, name, places, ...context }: RowProps): ReactNode {
  return (
    <tr>
      <th scope="row">{name}</th>
      {places.map((place) => (
        <td key={`${place.map}/${place.layer}`}>
          <Cell {...context} principal={principal} name={name} place={place} />
        </td>
      ))}
    </tr>
  );
}

/** What is granted on a place, or that it inherits. */
function Cell(props: Omit<RowProps, 'places'> & { place: Place }): ReactNode {
  const { workspace, state, change, isBusy, principal, name, place } = props;
  const texts = useRightsTexts();
  const { grants } = state.overview!;
  const [granted, send] = useSent(grantedOn(grants, principal, place));
  const inherited =
    place.map === undefined
      ? texts.notGranted
      : texts.inherited(texts.levels[inheritedOn(grants, principal, place)]);
  const put = (level: Level | null): Promise<void> =>
    send(level, () => change(() => putGrant(workspace.project, principal, place, level)));
  return (
    <select
      aria-label={texts.rightOf(name, place.name)}
      data-inherited={granted === null || undefined}
      value={granted ?? ''}
      disabled={isBusy}
      onChange={({ target: { value } }) => void put(value ? (value as Level) : null)}
    >
      <option value="">{inherited}</option>
      {levels.map((level) => (
        <option key={level} value={level}>
          {texts.levels[level]}
        </option>
      ))}
    </select>
  );
}
