import { Callout } from '@blueprintjs/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { previewedOptions } from '../../../../projections/contract/previewed-options.ts';
import { Amount } from '../../../shared/components/amount.tsx';
import { columnPlaces, formatUnits } from '../../../shared/format/quota.ts';
import { useQuotaDisplay } from '../../../shared/status.ts';
import type { OptionChange } from '../api/options.ts';
import {
  type PricePreview as Preview,
  type PreviewedChanges,
  usePricePreview,
} from '../api/price-preview.ts';

type Props = Readonly<{
  /** Edits that are not saved; those that change no price are left out. */
  changes: readonly OptionChange[];
}>;

/** Pause after the last edit before the server is queried. */
const editPauseMs = 500;

const useResting = (text: string): string => {
  const [resting, setResting] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setResting(text), editPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return resting;
};

const Models = ({ models }: Pick<Preview, 'models'>) => {
  const { t } = useTranslation('setting');
  const places = columnPlaces(
    models.flatMap(({ charged, amount }) => [charged, amount]),
    useQuotaDisplay(),
  );
  return (
    <table className="option-table preview-models" aria-label={t('preview-models')}>
      <thead>
        <tr>
          <th scope="col">{t('table.model')}</th>
          <th scope="col" className="is-number">
            {t('preview-calls')}
          </th>
          <th scope="col" className="is-number">
            {t('preview-charged')}
          </th>
          <th scope="col" className="is-number">
            {t('preview-new')}
          </th>
        </tr>
      </thead>
      <tbody>
        {models.map(({ model_name, calls, charged, amount }) => (
          <tr key={model_name}>
            <td>
              <code title={model_name}>{model_name}</code>
            </td>
            <td className="is-number">{formatUnits(calls)}</td>
            <td className="is-number">
              <Amount units={charged} places={places} />
            </td>
            <td className="is-number">
              <Amount units={amount} places={places} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Found = ({ data }: Readonly<{ data: Preview }>) => {
  const { t } = useTranslation('setting');
  const { calls, charged, amount, total, unpriced, models } = data;
  if (total === 0) return <p>{t('preview-none')}</p>;
  return (
    <>
      <dl className="preview-figures">
        <div>
          <dt>{t('preview-calls')}</dt>
          <dd>{formatUnits(calls)}</dd>
        </div>
        <div>
          <dt>{t('preview-charged')}</dt>
          <dd>
            <Amount units={charged} />
          </dd>
        </div>
        <div>
          <dt>{t('preview-new')}</dt>
          <dd>
            <Amount units={amount} />
          </dd>
        </div>
        <div>
          <dt>{t('preview-change')}</dt>
          <dd>
            <Amount units={amount - charged} isDelta />
          </dd>
        </div>
      </dl>
      {total > calls && (
        <p className="subtle">
          {t('preview-part', { calls: formatUnits(calls), total: formatUnits(total) })}
        </p>
      )}
      {unpriced > 0 && <p className="error-text">{t('preview-unpriced', { count: unpriced })}</p>}
      {models.length > 1 && <Models models={models} />}
    </>
  );
};

const isPreviewed = ({ key }: OptionChange): boolean =>
  previewedOptions.some((known) => known === key);

/** What yesterday's calls would cost with these edits, before they are saved. */
export const PricePreview = ({ changes }: Props) => {
  const { t } = useTranslation('setting');
  const text = useResting(
    JSON.stringify(changes.filter(isPreviewed).map(({ key, value }) => ({ key, value }))),
  );
  const preview = usePricePreview(JSON.parse(text) as PreviewedChanges);
  if (text === '[]') return null;
  return (
    <Callout compact className="price-preview" role="status" aria-label={t('preview')}>
      <h3>{t('preview')}</h3>
      {preview.isPending && <p className="subtle">{t('preview-pending')}</p>}
      {preview.isError && !preview.data && <p className="subtle">{t('preview-failed')}</p>}
      {preview.data && <Found data={preview.data} />}
    </Callout>
  );
};
