import { Button, InputGroup } from '@blueprintjs/core';
import { ArrowDown, ArrowUp, Plus, Trash } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Chat, chatFault, moved, noChat, readChats, writeChats } from './chat-list.ts';
import { JsonOrForm } from './json-or-form.tsx';

type Props = Readonly<{
  label: string;
  /** What is wrong, else what the option does. */
  hint: ReactNode;
  isWrong: boolean;
  /** Next to the label, after the buttons of the editor. */
  aside: ReactNode;
  /** The option as it is stored. */
  value: string;
  /** The same as text, as an alternative. */
  area: (id: string) => ReactNode;
  onChange: (value: string) => void;
}>;

type LinesProps = Pick<Props, 'label' | 'isWrong' | 'value' | 'onChange'> &
  Readonly<{ chats: readonly Chat[] }>;

const ChatLines = ({ label, isWrong, value, chats, onChange }: LinesProps) => {
  const { t } = useTranslation('setting');
  const fault = isWrong ? chatFault(value) : null;
  const put = (next: readonly Chat[]) => onChange(writeChats(next));
  const input = (at: number, part: keyof Chat) => (
    <InputGroup
      value={chats[at]?.[part] ?? ''}
      className={`is-${part}`}
      aria-label={t(`chat-${part}`, { at: at + 1 })}
      placeholder={t(`chat-${part}-hint`)}
      autoFocus={part === 'name' && chats[at]?.name === '' && chats[at]?.address === ''}
      spellCheck={false}
      intent={fault?.at === at + 1 && fault.part === part ? 'danger' : 'none'}
      aria-invalid={fault?.at === at + 1 && fault.part === part}
      onValueChange={(text) =>
        put(chats.map((chat, place) => (place === at ? { ...chat, [part]: text } : chat)))
      }
    />
  );
  return (
    <>
      <ol className="chat-list" aria-label={label}>
        {chats.map(({ name }, at) => (
          <li
            key={`chat-${
              // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
              at
            }`}
          >
            {input(at, 'name')}
            {input(at, 'address')}
            <span className="row-actions">
              <Button
                variant="minimal"
                icon={<ArrowUp />}
                aria-label={t('chat-up', { name })}
                disabled={at === 0}
                onClick={() => put(moved(chats, at, at - 1))}
              />
              <Button
                variant="minimal"
                icon={<ArrowDown />}
                aria-label={t('chat-down', { name })}
                disabled={at === chats.length - 1}
                onClick={() => put(moved(chats, at, at + 1))}
              />
              <Button
                variant="minimal"
                intent="danger"
                icon={<Trash />}
                aria-label={t('chat-remove', { name })}
                onClick={() => put(chats.filter((_, place) => place !== at))}
              />
            </span>
          </li>
        ))}
      </ol>
      {chats.length === 0 && <p className="subtle">{t('chats-none')}</p>}
      <Button
        size="small"
        icon={<Plus />}
        text={t('chat-add')}
        onClick={() => put([...chats, noChat])}
      />
    </>
  );
};

/** Chat programs as a list of names and addresses; their text as JSON stays in reach. */
export const ChatsEditor = ({ label, hint, isWrong, aside, value, area, onChange }: Props) => {
  const { t } = useTranslation('setting');
  const chats = readChats(value);
  const form = chats && <ChatLines {...{ label, isWrong, value, chats, onChange }} />;
  return (
    <JsonOrForm
      {...{ label, hint, isWrong, aside, form }}
      formText={t('chats-as-list')}
      text={area}
    />
  );
};
