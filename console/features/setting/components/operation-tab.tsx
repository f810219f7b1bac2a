import { Alert, Button, Tab, Tabs } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmPopover } from '../../../shared/components/confirm-popover.tsx';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { toast } from '../../../shared/toast.ts';
import { type Options, useResetRatios } from '../api/options.ts';
import { ClearLog } from './clear-log.tsx';
import { type SettingCard as Card, settingTabs } from './option-fields.ts';
import { RatioEditor } from './ratio-editor.tsx';
import { type Drafts, SettingCard } from './setting-card.tsx';
import { UnsetModels } from './unset-models.tsx';

type Props = Readonly<{ options: Options }>;

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

/** Changing what a dollar is worth changes what every balance means, so it is asked for twice. */
const GeneralCard = ({ card, options }: Props & Readonly<{ card: Card }>) => {
  const { t } = useTranslation(['setting', 'common']);
  const [answer, setAnswer] = useState<((isSure: boolean) => void) | null>(null);
  const ask = async (drafts: Drafts): Promise<Drafts | null> => {
    const wanted = drafts.QuotaPerUnit;
    if (wanted === undefined || wanted === options.get('QuotaPerUnit')) return {};
    const isSure = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
    setAnswer(null);
    return isSure ? {} : null;
  };
  return (
    <>
      <SettingCard card={card} options={options} note={t('note.general')} onSave={ask} />
      <Alert
        isOpen={answer !== null}
        canEscapeKeyCancel
        intent="warning"
        cancelButtonText={t('common:cancel')}
        confirmButtonText={t('common:ok')}
        onCancel={() => answer?.(false)}
        onConfirm={() => answer?.(true)}
      >
        <p>
          <strong>{t('quota-unit-question')}</strong>
        </p>
        <p>{t('quota-unit-hint')}</p>
      </Alert>
    </>
  );
};

const cards: readonly Card[] = settingTabs.operation;
const prices = cards.find(({ id }) => id === 'prices');
const subTabs = ['prices', 'visual', 'unset'] as const;

export const OperationTab = ({ options }: Props) => {
  const { t } = useTranslation('setting');
  const [{ sub }, change] = useUrlFilters({ sub: 'prices' });
  const chosen = subTabs.find((name) => name === sub) ?? 'prices';
  const body = (
    <>
      {chosen === 'prices' && prices && (
        <SettingCard card={prices} options={options} extra={<ResetRatios />} />
      )}
      {chosen === 'visual' && <RatioEditor options={options} />}
      {chosen === 'unset' && <UnsetModels options={options} />}
    </>
  );
  return (
    <>
      {cards
        .filter((card) => card !== prices)
        .map((card) =>
          card.id === 'general' ? (
            <GeneralCard key={card.id} card={card} options={options} />
          ) : (
            <SettingCard
              key={card.id}
              card={card}
              options={options}
              {...(card.id === 'log' && { extra: <ClearLog /> })}
              {...(card.id === 'chats' && { note: t('note.chats') })}
              {...(card.id === 'dashboard' && { note: t('note.dashboard') })}
            />
          ),
        )}
      <div className="setting-tabs">
        <Tabs
          id="ratios"
          renderActiveTabPanelOnly
          selectedTabId={chosen}
          onChange={(next) => change({ sub: String(next) })}
        >
          {subTabs.map((name) => (
            <Tab key={name} id={name} title={t(`sub.${name}`)} panel={body} />
          ))}
        </Tabs>
      </div>
    </>
  );
};
