import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Question } from '../../../shared/components/question.tsx';
import type { Options } from '../api/options.ts';
import type { SettingCard as Card } from './option-fields.ts';
import { SettingCard } from './setting-card.tsx';
import type { Drafts } from './use-setting-form.ts';

type Props = Readonly<{ card: Card; options: Options }>;

/**
 * Changing the value of a dollar changes the meaning of every balance, so it is confirmed twice.
 */
export const GeneralCard = ({ card, options }: Props) => {
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
      <Question
        isOpen={answer !== null}
        title={t('quota-unit-question')}
        hint={t('quota-unit-hint')}
        intent="warning"
        onCancel={() => answer?.(false)}
        onConfirm={() => answer?.(true)}
      />
    </>
  );
};
