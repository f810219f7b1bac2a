import { Dialog, DialogBody, TextArea } from '@blueprintjs/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attachManualCopy } from '../clipboard.ts';

export const ManualCopyDialog = () => {
  const { t } = useTranslation('common');
  const [text, setText] = useState<string | null>(null);
  useEffect(() => attachManualCopy(setText), []);
  return (
    <Dialog
      isOpen={text !== null}
      onClose={() => setText(null)}
      title={t('copy-by-hand')}
      className="tg-dialog"
    >
      <DialogBody>
        <TextArea
          fill
          readOnly
          autoResize
          value={text ?? ''}
          aria-label={t('copy-by-hand')}
          onFocus={(event) => event.target.select()}
        />
      </DialogBody>
    </Dialog>
  );
};
