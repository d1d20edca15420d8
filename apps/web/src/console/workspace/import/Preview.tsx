import type { ReactNode } from 'react';
import { useLanguage } from '../../../common/texts/language.js';
import { useNotes } from '../../notes/useNotes.js';
import { RowTable } from '../../RowTable.js';
import { formatName } from '../formatNames.js';
import classes from './import.module.css';
import type { ImportReport } from './importing.js';
import type { ImportTexts } from './texts.en.js';
import { useImportTexts } from './useImportTexts.js';

/** What a file holds: facts, what is chosen of it, its first objects and problems. */
export function Preview({ plan, children }: { plan: ImportReport; children: ReactNode }): ReactNode {
  const texts = useImportTexts();
  const { columns = [], rows = [] } = plan;
  return (
    <>
      <Facts plan={plan} texts={texts} />
      {children}
      {rows.length > 0 && columns.length > 0 && (
        <>
          <h3 className={classes.heading}>{texts.firstRows}</h3>
          <RowTable
            label={texts.firstRows}
            columns={columns}
            rows={rows.map(({ feature, fields }) => ({ id: feature, fields }))}
          />
        </>
      )}
      <Problems report={plan} hint={texts.problemsHint} title={texts.problems(plan.refused)} />
    </>
  );
}

interface PartProps {
  plan: ImportReport;
  texts: ImportTexts;
}

function Facts({ plan, texts }: PartProps): ReactNode {
  const { ui } = useLanguage();
  const number = new Intl.NumberFormat(ui);
  const guess = texts.encodingGuess[plan.encoding_certainty ?? ''];
  const kinds = Object.entries(plan.geometries).map(
    ([kind, n]) => `${texts.geometryKinds[kind] ?? kind}: ${number.format(n)}`,
  );
  return (
    <dl className={classes.facts}>
      <dt>{texts.format}</dt>
      <dd>{formatName(plan.format)}</dd>
      <dt>{texts.objects}</dt>
      <dd>
        {number.format(plan.read)}
        {kinds.length > 0 && ` (${kinds.join(', ')})`}
      </dd>
      {plan.encoding && (
        <>
          <dt>{texts.encoding}</dt>
          <dd>
            {plan.encoding}
            {guess && <em> · {guess}</em>}
          </dd>
        </>
      )}
      <dt>{texts.projection}</dt>
      <dd>{plan.projection ?? texts.unknown}</dd>
      {Boolean(plan.changed) && (
        <>
          <dt>{texts.changes}</dt>
          <dd>{texts.addedAndChanged(plan.added ?? 0, plan.changed ?? 0)}</dd>
        </>
      )}
    </dl>
  );
}

interface ProblemsProps {
  report: ImportReport;
  title: string;
  hint?: string;
}

/** The objects that are left out, each with its reason, and the notes of the reader. */
export function Problems({ report, title, hint }: ProblemsProps): ReactNode {
  const texts = useImportTexts();
  const shown = useNotes();
  return (
    <>
      {report.refused > 0 && (
        <section className={classes.problems} aria-label={title}>
          <h3>{title}</h3>
          {hint && report.refused < report.read && <p>{hint}</p>}
          <ul>
            {report.errors.map(({ feature, message }) => (
              <li key={feature}>
                {texts.row(feature)}: {shown(message)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {report.notes.length > 0 && (
        <section aria-label={texts.notes}>
          <h3 className={classes.heading}>{texts.notes}</h3>
          <ul className={classes.notes}>
            {report.notes.map((note) => (
              <li key={note}>{shown(note)}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
