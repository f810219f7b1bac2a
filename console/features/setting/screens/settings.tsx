import { Button, Classes, Tab, Tabs } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { toast } from '../../../shared/toast.ts';
import { useOptions, useResetRatios } from '../api/options.ts';
import {
  type SettingCard as Card,
  isTab,
  settingTabs,
  tabNames,
} from '../components/option-fields.ts';
import { RatioEditor } from '../components/ratio-editor.tsx';
import { SettingCard } from '../components/setting-card.tsx';

const ResetRatios = () => {
  const { t } = useTranslation('setting');
  const reset = useResetRatios();
  return (
    <ConfirmPopover
      title={t('reset-question')}
      onConfirm={() => reset.mutate(undefined, { onSuccess: () => toast('success', t('saved')) })}
    >
      <Button
        intent="danger"
        variant="minimal"
        text={t('reset-ratios')}
        loading={reset.isPending}
      />
    </ConfirmPopover>
  );
};

export const Settings = () => {
  const { t } = useTranslation('setting');
  const [{ tab: wanted }, change] = useUrlFilters({ tab: 'operation' });
  const tab = isTab(wanted) ? wanted : 'operation';
  const options = useOptions();
  const cards: readonly Card[] = settingTabs[tab];
  return (
    <Page title={t('title')} lead={t('lead')}>
      <div className="setting-tabs">
        <Tabs id="setting" selectedTabId={tab} onChange={(next) => change({ tab: String(next) })}>
          {tabNames.map((name) => (
            <Tab key={name} id={name} title={t(`tab.${name}`)} />
          ))}
        </Tabs>
      </div>
      {options.isError && !options.data && (
        <LoadFailed error={options.error} onRetry={() => void options.refetch()} />
      )}
      {options.isPending && <div className={`panel ${Classes.SKELETON} card-skeleton`} />}
      {options.data &&
        cards.map((card) => (
          <SettingCard
            key={card.id}
            card={card}
            options={options.data}
            {...(card.id === 'prices' && { extra: <ResetRatios /> })}
          />
        ))}
      {options.data && tab === 'operation' && <RatioEditor options={options.data} />}
    </Page>
  );
};
