import type { ReactNode } from 'react';
import { base } from '../../common/base.js';
import { CopyField } from '../../common/CopyField.js';
import fields from '../../common/fields.module.css';
import { embedAddress, embedCode, mapPage } from '../../common/mapLinks.js';
import { clientOf } from '../client.js';
import { rights } from '../workspace/useWorkspace.js';
import type { SharingContext } from './context.js';
import classes from './rights.module.css';
import { useRightsTexts } from './useRightsTexts.js';
import { useSent } from './useSent.js';

/** Whether the map is public, its link, its code for other pages, and its addresses for programs. */
export function LinkAndPage({ workspace, change, isBusy }: SharingContext): ReactNode {
  const texts = useRightsTexts();
  const { project, map, access } = workspace;
  const name = map.name || map.code;
  const page = mapPage(project, map.code);
  const [isPublic, send] = useSent(map.has_publication);
  const publish = (has_publication: boolean): Promise<void> =>
    send(has_publication, () =>
      change(() =>
        clientOf(project).patch('/api/2.8/{project}/{map}/', {
          params: { path: { map: map.code } },
          body: { has_publication },
        }),
      ),
    );
  return (
    <div className={fields.form}>
      <fieldset className={classes.choice} disabled={isBusy || access < rights.administer}>
        <legend>{texts.who}</legend>
        {(['everybody', 'chosen'] as const).map((who) => (
          <label key={who}>
            <input
              type="radio"
              name="public"
              checked={isPublic === (who === 'everybody')}
              onChange={() => void publish(who === 'everybody')}
            />
            <span>
              {texts[who]}
              <small>{texts[`${who}Hint`]}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {access < rights.administer && <p className={classes.hint}>{texts.onlyAdministrators}</p>}
      <CopyField label={texts.link} text={page} action={texts.copyLink} />
      <h3 className={classes.title}>{texts.embed}</h3>
      {isPublic ? (
        <>
          <p className={classes.hint}>{texts.embedHint}</p>
          <CopyField label={texts.embedCode} text={embedCode(page, name)} action={texts.copyEmbed} rows={3} />
          <iframe
            className={classes.preview}
            src={embedAddress(page)}
            title={texts.preview(name)}
            loading="lazy"
          />
        </>
      ) : (
        <p className={classes.hint}>{texts.embedPrivate}</p>
      )}
      <Programs project={project} map={map.code} isPublic={isPublic} />
    </div>
  );
}

function Programs({
  project,
  map,
  isPublic,
}: {
  project: string;
  map: string;
  isPublic: boolean;
}): ReactNode {
  const texts = useRightsTexts();
  const path = [project, map].map(encodeURIComponent).join('/');
  const addresses: Readonly<Record<keyof typeof texts.addresses, string>> = {
    xyz: `${base}/tiles/${path}/{z}/{x}/{y}.png`,
    tileJson: `${base}/tiles/${path}/tilejson.json`,
    vector: `${base}/mvt/${path}/tilejson.json`,
    style: `${base}/tiles/${path}/style.json`,
    ogc: `${base}/ogc/${path}`,
    wms: `${base}/wms/${path}/`,
    wmts: `${base}/wmts/${path}/1.0.0/WMTSCapabilities.xml`,
    wfs: `${base}/wfs/${path}`,
    interface: `${base}/api/2.8/${path}/`,
  };
  return (
    <>
      <h3 className={classes.title}>{texts.programs}</h3>
      {!isPublic && <p className={classes.hint}>{texts.tokenHint}</p>}
      {(Object.keys(addresses) as (keyof typeof addresses)[]).map((kind) => {
        const label = texts.addresses[kind];
        return <CopyField key={kind} label={label} text={addresses[kind]} action={texts.copyOf(label)} />;
      })}
    </>
  );
}
