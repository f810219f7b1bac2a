import { Button } from '@blueprintjs/core';
import { ChevronDown, ChevronRight, Disable, Tick } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Question } from '../../../shared/components/question.tsx';
import { RowMenu } from '../../../shared/components/row-menu.tsx';
import { toast } from '../../../shared/toast.ts';
import type { ChannelRow } from '../api/channels.ts';
import { useChangeTag, useSwitchTag } from '../api/tags.ts';
import { NumberCell } from './number-cell.tsx';

type NameProps = Readonly<{ tag: string; isOpen: boolean; onToggle: () => void }>;

export const TagName = ({ tag, isOpen, onToggle }: NameProps) => {
  const { t } = useTranslation('channel');
  return (
    <Button
      variant="minimal"
      className="tag-toggle"
      icon={isOpen ? <ChevronDown /> : <ChevronRight />}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      <strong>{t('tag-row', { tag })}</strong>
    </Button>
  );
};

export const TagActions = ({ tag, onEdit }: Readonly<{ tag: string; onEdit: () => void }>) => {
  const { t } = useTranslation(['channel', 'common']);
  const change = useSwitchTag();
  const done = { onSuccess: () => toast('success', t('common:done')) };
  return (
    <div className="row-actions">
      <Button size="small" text={t('common:edit')} onClick={onEdit} />
      <RowMenu
        name={tag}
        isSending={change.isPending}
        actions={[
          {
            text: t('tag-enable'),
            icon: <Tick />,
            onClick: () => change.mutate({ tag, isEnabled: true }, done),
          },
          {
            text: t('tag-disable'),
            icon: <Disable />,
            onClick: () => change.mutate({ tag, isEnabled: false }, done),
          },
        ]}
      />
    </div>
  );
};

type NumberProps = Readonly<{
  tag: string;
  name: 'priority' | 'weight';
  /** Null: the channels of the tag differ. */
  value: number | null;
  channels: readonly ChannelRow[];
}>;

/** One number for all channels of the tag, after a question: it overwrites what each had. */
export const TagNumber = ({ tag, name, value, channels }: NumberProps) => {
  const { t } = useTranslation(['channel', 'common']);
  const [wanted, setWanted] = useState<number | null>(null);
  const change = useChangeTag();
  return (
    <>
      <NumberCell
        label={t(name)}
        value={value}
        min={name === 'weight' ? 0 : -999}
        problem={t(name === 'weight' ? 'weight-wrong' : 'priority-wrong')}
        onSave={setWanted}
      />
      <Question
        isOpen={wanted !== null}
        title={t(`tag-${name}-question`, { tag, value: wanted ?? 0 })}
        hint={t('tag-number-hint', { count: channels.length })}
        intent="danger"
        onCancel={() => setWanted(null)}
        onConfirm={() => {
          if (wanted === null) return;
          const body = name === 'weight' ? { weight: wanted } : { priority: wanted };
          change.mutate(
            { tag, ...body },
            { onSuccess: () => toast('success', t('updated-done-short')) },
          );
          setWanted(null);
        }}
      />
    </>
  );
};
