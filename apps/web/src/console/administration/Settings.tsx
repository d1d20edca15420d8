import type { AnswerOf } from '@cartulary/client';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { base } from '../../common/base.js';
import fields from '../../common/fields.module.css';
import { IconSearch } from '../../common/icons.js';
import { normalize } from '../../common/texts/normalize.js';
import { useLanguagePart } from '../../common/texts/useLanguagePart.js';
import { clientOf } from '../client.js';
import page from '../project/project.module.css';
import { useLoaded } from '../useLoaded.js';
import classes from './administration.module.css';
import { ForWhom } from './ForWhom.js';
import { useAdministrationTexts } from './texts/useAdministrationTexts.js';

type Setting = AnswerOf<'/api/2.8/{project}/administration/settings/', 'get'>[number];

/** The service tells what settings mean in English. */
const translations = { ru: () => import('./texts/settings.ru.js') };
type Translation = Awaited<ReturnType<typeof translations.ru>>;

/** The settings in force: read only, secrets are not shown. */
export function Settings({ project }: { project: string }): ReactNode {
  const texts = useAdministrationTexts();
  const loaded = useLoaded(project, (signal) =>
    clientOf(project).get('/api/2.8/{project}/administration/settings/', { signal }),
  );
  return (
    <ForWhom loaded={loaded} project={project} refusal={texts.onlyInstallers}>
      {(settings) => (
        <>
          <p className={page.hint}>
            {texts.settingsHint}
            <a href={`${base}/docs/settings.html`}>{texts.settingsGuide}</a>
          </p>
          <SignInWays settings={settings} />
          <SettingList settings={settings} />
        </>
      )}
    </ForWhom>
  );
}

/** How users can sign in. */
function SignInWays({ settings }: { settings: readonly Setting[] }): ReactNode {
  const texts = useAdministrationTexts();
  const settingOf = (wanted: string): string =>
    String(settings.find(({ name }) => name === wanted)?.value ?? '');
  const issuer = settingOf('CARTULARY_EXT_LOGIN_JWKS') && settingOf('CARTULARY_EXT_LOGIN_ISSUER');
  return (
    <section aria-label={texts.signIn}>
      <h2 className={classes.heading}>{texts.signIn}</h2>
      <ul className={page.list}>
        <li>{texts.byPassword}</li>
        <li>
          <span>{issuer ? texts.byProvider(issuer) : texts.noProvider}</span>
          <span>{texts.providerHow}</span>
          <a href={`${base}/docs/guide/sign-in.html#with-an-identity-provider`}>{texts.providerGuide}</a>
        </li>
      </ul>
    </section>
  );
}

function SettingList({ settings }: { settings: readonly Setting[] }): ReactNode {
  const texts = useAdministrationTexts();
  const translation = useLanguagePart(translations);
  const [phrase, setPhrase] = useState('');
  const [isOnlyChanged, setOnlyChanged] = useState(false);
  const asked = normalize(useDeferredValue(phrase).trim());
  const found = settings.filter(
    ({ name, meaning, isChanged }) =>
      (isChanged || !isOnlyChanged) &&
      normalize(`${name} ${translation?.settingMeanings[name] ?? meaning}`).includes(asked),
  );
  const subjects = [...new Set(found.map(({ subject }) => subject))];
  return (
    <>
      <div className={page.head}>
        <label className={fields.check}>
          <input
            type="checkbox"
            checked={isOnlyChanged}
            onChange={(event) => setOnlyChanged(event.currentTarget.checked)}
          />
          <span>{texts.onlyChanged}</span>
        </label>
        <label className={fields.find}>
          <IconSearch size={18} aria-hidden />
          <input
            type="search"
            placeholder={texts.findSetting}
            aria-label={texts.findSetting}
            value={phrase}
            onChange={(event) => setPhrase(event.currentTarget.value)}
          />
        </label>
      </div>
      <p className={page.hint} role="status">
        {found.length === 0 && texts.noSettings}
      </p>
      {subjects.map((subject) => (
        <section key={subject}>
          <h2 className={classes.heading}>{texts.settingSubjects[subject] ?? subject}</h2>
          <dl className={classes.settings}>
            {found
              .filter((one) => one.subject === subject)
              .map((one) => (
                <SettingItem key={one.name} setting={one} translation={translation} />
              ))}
          </dl>
        </section>
      ))}
    </>
  );
}

/** Units of one thing that do not lose an s alone. */
const oneOf: Readonly<Record<string, string>> = {
  entries: 'entry',
  indices: 'index',
  processes: 'process',
  'bytes per s': 'byte per s',
  'pieces of work': 'piece of work',
};

/** The unit of a number, which the service names for many. Short units such as ms are the same for one. */
const englishUnit = (value: number, unit: string): string =>
  value === 1 && unit.length > 2 ? (oneOf[unit] ?? unit.replace(/s$/, '')) : unit;

interface SettingItemProps {
  setting: Setting;
  translation: Translation | undefined;
}

function SettingItem({ setting, translation }: SettingItemProps): ReactNode {
  const texts = useAdministrationTexts();
  const { name, value, unit, meaning, isSecret, isChanged } = setting;
  const translated = translation?.settingMeanings[name];
  const shown = (one: string | number | boolean): string => {
    if (one === '') return texts.empty;
    if (typeof one !== 'number' || unit === 'port') return String(one);
    return `${one} ${translation?.settingUnit(one, unit) ?? englishUnit(one, unit)}`;
  };
  const secret = isChanged ? texts.secretSet : texts.notSet;
  return (
    <div data-changed={isChanged || undefined}>
      <dt>
        <code>{name}</code>
      </dt>
      <dd>
        <strong>{isSecret ? secret : shown(value ?? '')}</strong>
        {isChanged && !isSecret && <small>{texts.byDefault(shown(setting.default))}</small>}
        {translated === undefined ? <span lang="en">{meaning}</span> : <span>{translated}</span>}
      </dd>
    </div>
  );
}
