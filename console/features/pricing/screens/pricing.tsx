import { Button, Callout, InputGroup } from '@blueprintjs/core';
import { Duplicate, Search, Tag as TagIcon } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../../shared/clipboard.ts';
import { useColumnChoice } from '../../../shared/components/column-dialog.tsx';
import { DataTable } from '../../../shared/components/data-table.tsx';
import { EmptyState } from '../../../shared/components/empty-state.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { useStoredUser } from '../../../shared/session.ts';
import { toast } from '../../../shared/toast.ts';
import { type Pricing, usePricing } from '../api/pricing.ts';
import { plain } from '../components/price-text.ts';
import { pricingColumns } from '../components/pricing-columns.tsx';

const noPricing: Pricing = { rows: [], ratios: {}, groups: {} };

/** Whose prices are shown, and by which formula. */
const Banners = ({ ratio }: Readonly<{ ratio: number }>) => {
  const { t } = useTranslation('pricing');
  const user = useStoredUser();
  return (
    <>
      <Callout intent={user ? 'success' : 'warning'}>
        {user
          ? t('signed-in', { group: user.group || 'default', ratio: plain(ratio) })
          : t('signed-out', { ratio: plain(ratio) })}
      </Callout>
      <Callout intent="primary">{t('formula')}</Callout>
    </>
  );
};

export const PricingScreen = () => {
  const { t } = useTranslation('pricing');
  const copy = useCopy();
  const own = useStoredUser()?.group || 'default';
  const [{ q: keyword, group: wanted }, change] = useUrlFilters({ q: '', group: '' });
  const [typed, setTyped] = useState(keyword);
  const [chosen, setChosen] = useState<ReadonlySet<string | number>>(new Set());
  const answer = usePricing();
  const pricing = answer.data ?? noPricing;
  const group = wanted === '' ? own : wanted;
  const found = pricing.rows.filter(({ model_name }) =>
    model_name.toLowerCase().includes(keyword.trim().toLowerCase()),
  );
  const view = (name: string) => {
    change({ group: name === own ? '' : name });
    toast('info', t('viewing', { group: name, ratio: plain(pricing.ratios[name] ?? 1) }));
  };
  const choice = useColumnChoice(
    'pricing-table-columns',
    pricingColumns({ t, pricing, group, onGroup: view }),
  );
  const names = pricing.rows.map(({ model_name }) => model_name).filter((name) => chosen.has(name));

  return (
    <Page title={t('title')} lead={t('lead')}>
      <Banners ratio={pricing.ratios[own] ?? 1} />
      <section className="panel">
        <div className="list-toolbar">
          <InputGroup
            type="search"
            className="is-growing"
            leftIcon={<Search className="input-icon" />}
            aria-label={t('search')}
            placeholder={t('search')}
            value={typed}
            onValueChange={setTyped}
            // While an input method composes, the content of the field is no name yet.
            onChange={(event) => {
              if (!(event.nativeEvent as InputEvent).isComposing) {
                change({ q: event.currentTarget.value });
              }
            }}
            onCompositionEnd={(event) => change({ q: event.currentTarget.value })}
          />
          <div className="toolbar-end">
            {choice.button}
            <Button
              icon={<Duplicate />}
              text={t('copy-chosen')}
              disabled={names.length === 0}
              onClick={() => void copy(names.join(','))}
            />
          </div>
        </div>
        {answer.isError && !answer.data ? (
          <LoadFailed error={answer.error} onRetry={() => void answer.refetch()} />
        ) : (
          <DataTable
            label={t('title')}
            columns={choice.columns}
            rows={answer.data && found}
            rowKey={({ model_name }) => model_name}
            isBusy={false}
            selection={{ keys: chosen, onChange: setChosen }}
            isVirtual
            expectedRows={10}
            empty={
              <EmptyState
                icon={<TagIcon size={36} />}
                title={keyword === '' ? t('empty') : t('none-found')}
                hint={keyword === '' ? t('empty-hint') : t('none-found-hint')}
              />
            }
          />
        )}
      </section>
    </Page>
  );
};
