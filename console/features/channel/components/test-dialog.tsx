import { Button, Dialog, DialogBody, InputGroup } from '@blueprintjs/core';
import { Search } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { namesOf } from './channel-form.ts';

type Props = Readonly<{
  isOpen: boolean;
  /** Comma list. */
  models: string;
  onClose: () => void;
  onChoose: (model: string) => void;
}>;

export const TestDialog = ({ isOpen, models, onClose, onChoose }: Props) => {
  const { t } = useTranslation('channel');
  const [text, setText] = useState('');
  const found = namesOf(models).filter((name) => name.toLowerCase().includes(text.toLowerCase()));
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('test-title')} className="tg-dialog">
      <DialogBody>
        <InputGroup
          type="search"
          leftElement={<Search className="input-icon" />}
          autoFocus
          value={text}
          aria-label={t('test-search')}
          placeholder={t('test-search')}
          onValueChange={setText}
        />
        <p className="subtle test-found">{t('test-found', { number: found.length })}</p>
        <div className="test-models">
          {found.map((name) => (
            <Button key={name} size="small" text={name} onClick={() => onChoose(name)} />
          ))}
        </div>
      </DialogBody>
    </Dialog>
  );
};
