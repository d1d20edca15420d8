import type { AnswerOf } from '@cartulary/client';
import { type ReactNode, useEffect, useState } from 'react';
import fields from '../../common/fields.module.css';
import { useTexts } from '../../common/texts/language.js';
import { clientOf } from '../client.js';
import type { SharingContext } from './context.js';
import classes from './rights.module.css';
import { useRightsTexts } from './useRightsTexts.js';

type Explained = AnswerOf<'/api/2.8/{project}/rights/explain/', 'get'>;

/** The right that a user really has on a place, and the grant that decides it. */
export function Why({ workspace, state }: SharingContext): ReactNode {
  const texts = useRightsTexts();
  const common = useTexts();
  const [login, setLogin] = useState('');
  const [place, setPlace] = useState('map');
  const layers = workspace.items.filter(({ type }) => type !== 'folder');
  const layer = place.startsWith('layer ') ? place.slice(6) : undefined;
  const query = { login, ...(place !== 'project' && { map: workspace.map.code }), ...(layer && { layer }) };
  const { explained, hasFailed } = useExplained(workspace.project, login ? query : null, state.overview);
  const { users } = state.overview!;
  return (
    <fieldset className={classes.why}>
      <legend>{texts.why}</legend>
      <label className={fields.field}>
        {texts.user}
        <select value={login} onChange={(event) => setLogin(event.target.value)}>
          <option value="">{texts.choose}</option>
          <option value="public">{texts.public}</option>
          {users.map((user) => (
            <option key={user.login} value={user.login}>
              {user.name ? `${user.name} (${user.login})` : user.login}
            </option>
          ))}
        </select>
      </label>
      <label className={fields.field}>
        {texts.place}
        <select value={place} onChange={(event) => setPlace(event.target.value)}>
          <option value="project">{texts.project}</option>
          <option value="map">{texts.map}</option>
          {layers.map(({ id, code, name }) => (
            <option key={id} value={`layer ${code}`}>
              {name || code}
            </option>
          ))}
        </select>
      </label>
      <div className={classes.reason} role="status">
        {hasFailed && common.failedHint}
        {explained && (
          <Reason explained={explained} on={layer ? 'layer' : place === 'map' ? 'map' : 'project'} />
        )}
      </div>
    </fieldset>
  );
}

function Reason({ explained, on }: { explained: Explained; on: 'project' | 'map' | 'layer' }): ReactNode {
  const texts = useRightsTexts();
  const { login, right, grant } = explained;
  const who = login === 'public' ? texts.public : login;
  const reason = !grant
    ? right === 'administer'
      ? texts.byInstallation
      : texts.byNobody
    : grant.group !== undefined
      ? texts.byGroup(grant.group, texts.places[grant.on])
      : grant.user === 'public'
        ? texts.byPublic(texts.places[grant.on])
        : texts.byOwn(texts.places[grant.on]);
  return (
    <>
      <strong>{texts.reason(who, texts.levels[right], texts.places[on])}</strong> {reason}
    </>
  );
}

/** Asks the service, and again when something has been granted. */
function useExplained(
  project: string,
  query: { login: string; map?: string; layer?: string } | null,
  version: unknown,
): { explained: Explained | null; hasFailed: boolean } {
  const [state, setState] = useState<{ explained: Explained | null; hasFailed: boolean }>({
    explained: null,
    hasFailed: false,
  });
  const asked = query && JSON.stringify(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version of the grants asks again
  useEffect(() => {
    if (!asked) return setState({ explained: null, hasFailed: false });
    const controller = new AbortController();
    clientOf(project)
      .get('/api/2.8/{project}/rights/explain/', {
        params: { query: JSON.parse(asked) },
        signal: controller.signal,
      })
      .then(
        (explained) => setState({ explained, hasFailed: false }),
        () => !controller.signal.aborted && setState({ explained: null, hasFailed: true }),
      );
    return () => controller.abort();
  }, [project, asked, version]);
  return state;
}
