import type { AnswerOf } from '@cartulary/client';
import type { ReactNode } from 'react';
import { useLanguage } from '../../common/texts/language.js';
import { clientOf } from '../client.js';
import page from '../project/project.module.css';
import { PlaceLink } from '../router.js';
import { bytesText } from '../texts/bytes.js';
import { useLoaded } from '../useLoaded.js';
import classes from './administration.module.css';
import { ForWhom } from './ForWhom.js';
import { useAdministrationTexts } from './texts/useAdministrationTexts.js';

type Usage = AnswerOf<'/api/2.8/{project}/administration/storage/', 'get'>;

/** What the project and its maps take. */
export function Storage({ project }: { project: string }): ReactNode {
  const texts = useAdministrationTexts();
  const { ui } = useLanguage();
  const loaded = useLoaded(`${project} ${ui}`, (signal) =>
    clientOf(project).get('/api/2.8/{project}/administration/storage/', {
      params: { query: { lng: ui } },
      signal,
    }),
  );
  return (
    <ForWhom loaded={loaded} project={project} refusal={texts.onlyAdministrators}>
      {(usage) => (
        <>
          <p className={classes.total}>
            {texts.total}: <strong>{bytesText(usage.bytes, ui)}</strong>
          </p>
          {usage.maps.length ? (
            <MapTable project={project} usage={usage} />
          ) : (
            <p className={page.hint}>{texts.noMaps}</p>
          )}
          <h2 className={classes.heading}>{texts.beside}</h2>
          <ul className={page.list}>
            {(['icons', 'uploads', 'exports'] as const).map((kind) => (
              <li key={kind}>
                <span>{texts[kind]}</span>
                {usage[kind].count.toLocaleString(ui)}
                <strong>{bytesText(usage[kind].bytes, ui)}</strong>
              </li>
            ))}
          </ul>
          <p className={page.hint}>{texts.storageHint}</p>
        </>
      )}
    </ForWhom>
  );
}

function MapTable({ project, usage: { maps } }: { project: string; usage: Usage }): ReactNode {
  const texts = useAdministrationTexts();
  const { ui } = useLanguage();
  const largest = Math.max(1, ...maps.map(({ bytes }) => bytes));
  const columns = ['layers', 'objects', 'tables', 'files', 'images', 'sum'] as const;
  const number = (n: number): string => n.toLocaleString(ui);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than its place is scrolled by keyboard
    <section className={page.scroll} aria-label={texts.map} tabIndex={0}>
      <table className={`${page.table} ${classes.numbers}`}>
        <thead>
          <tr>
            <th scope="col">{texts.map}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {texts[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {maps.map(({ code, name, layers, objects, tables, files, images, bytes }) => (
            <tr key={code}>
              <th scope="row">
                <PlaceLink project={project} map={code}>
                  {name || code}
                </PlaceLink>
              </th>
              <td data-label={texts.layers}>{number(layers)}</td>
              <td data-label={texts.objects}>{number(objects)}</td>
              <td data-label={texts.tables}>{bytesText(tables, ui)}</td>
              <td data-label={texts.files}>
                {bytesText(files.bytes, ui)}
                {files.count > 0 && ` (${number(files.count)})`}
              </td>
              <td data-label={texts.images}>{bytesText(images.bytes, ui)}</td>
              <td data-label={texts.sum}>
                {bytesText(bytes, ui)}
                <meter value={bytes} max={largest} aria-hidden />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
