import { Classes, Tab, Tabs } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { UnsavedGuard } from '../../../shared/components/unsaved-guard.tsx';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { type Options, useOptions } from '../api/options.ts';
import { OperationTab } from '../components/operation-tab.tsx';
import {
  type SettingCard as Card,
  isTab,
  type SettingTab,
  settingTabs,
  tabNames,
} from '../components/option-fields.ts';
import { SettingCard } from '../components/setting-card.tsx';
import { SystemTab } from '../components/system-tab.tsx';
import { VersionCard } from '../components/version-card.tsx';

const TabBody = ({ tab, options }: Readonly<{ tab: SettingTab; options: Options }>) => {
  if (tab === 'operation') return <OperationTab options={options} />;
  if (tab === 'system') return <SystemTab options={options} />;
  const cards: readonly Card[] = settingTabs[tab];
  return cards.map((card) =>
    card.id === 'version' ? (
      <VersionCard key={card.id} options={options} />
    ) : (
      <SettingCard key={card.id} card={card} options={options} />
    ),
  );
};

export const Settings = () => {
  const { t } = useTranslation('setting');
  const [{ tab: wanted }, change] = useUrlFilters({ tab: 'operation', sub: '' });
  const tab = isTab(wanted) ? wanted : 'operation';
  const options = useOptions();
  const body = (
    <>
      {options.isError && !options.data && (
        <LoadFailed error={options.error} onRetry={() => void options.refetch()} />
      )}
      {options.isPending && <div className={`panel ${Classes.SKELETON} card-skeleton`} />}
      {options.data && <TabBody key={tab} tab={tab} options={options.data} />}
    </>
  );
  return (
    <UnsavedGuard>
      <Page title={t('title')} lead={t('lead')}>
        <div className="setting-tabs">
          <Tabs
            id="setting"
            renderActiveTabPanelOnly
            selectedTabId={tab}
            onChange={(next) => change({ tab: String(next), sub: '' })}
          >
            {tabNames.map((name) => (
              <Tab key={name} id={name} title={t(`tab.${name}`)} panel={body} />
            ))}
          </Tabs>
        </div>
      </Page>
    </UnsavedGuard>
  );
};
