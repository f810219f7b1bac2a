import { Classes } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Amount } from '../../../shared/components/amount.tsx';
import { columnPlaces, formatUnits } from '../../../shared/format/quota.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import type { RankedThing } from '../api/overview.ts';

type Props = Readonly<{
  title: string;
  rows: readonly RankedThing[] | undefined;
  /** Where the calls of one of them are listed; null: the log cannot be narrowed to it. */
  linkOf: (row: RankedThing) => string | null;
  /** Name of an entry without a name. */
  unnamed: string;
}>;

const shown = 6;
const waiting = ['a', 'b', 'c'];

/** Those that cost most, each with its share of the first. */
export const Ranking = ({ title, rows, linkOf, unnamed }: Props) => {
  const { t } = useTranslation('dashboard');
  const places = columnPlaces(
    (rows ?? []).slice(0, shown).map(({ quota }) => quota),
    useQuotaDisplay(),
  );
  const highest = Math.max(1, ...(rows ?? []).map(({ quota }) => quota));
  const nameOf = (row: RankedThing) => {
    const link = linkOf(row);
    const name = row.name === '' ? unnamed : row.name;
    return link === null ? <span>{name}</span> : <Link to={link}>{name}</Link>;
  };
  return (
    <section className="panel panel-body ranking">
      <h2 className="panel-title">{title}</h2>
      <ol>
        {rows === undefined &&
          waiting.map((key) => (
            <li key={key} className={Classes.SKELETON}>
              &nbsp;
            </li>
          ))}
        {(rows ?? []).slice(0, shown).map((row) => (
          <li key={`${row.id} ${row.name}`}>
            <span className="ranking-name">{nameOf(row)}</span>
            <span className="ranking-calls">
              {t('ranking-calls', { count: row.calls, calls: formatUnits(row.calls) })}
            </span>
            <Amount units={row.quota} places={places} />
            <progress value={row.quota / highest} aria-hidden />
          </li>
        ))}
      </ol>
      {rows?.length === 0 && <p className="muted">{t('empty')}</p>}
    </section>
  );
};
