import { Button, Dialog, DialogBody, DialogFooter, InputGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../components/field.tsx';
import { useStatus } from '../status.ts';
import { toast } from '../toast.ts';

/** What users send to the account; it supports no other language. */
const wechatWord = '验证码';

type Props = Readonly<{
  isOpen: boolean;
  isBusy: boolean;
  purpose: 'login' | 'bind';
  onCode: (code: string) => void;
  onClose: () => void;
}>;

/** People scan, send a word and type the code that the account answers. */
export const WeChatDialog = ({ isOpen, isBusy, purpose, onCode, onClose }: Props) => {
  const { t } = useTranslation('login');
  const { wechat_qrcode } = useStatus();
  const [code, setCode] = useState('');
  const submit = () => {
    if (code.trim() === '') toast('error', t('wechat-code-missing'));
    else onCode(code.trim());
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t(purpose === 'login' ? 'wechat-title' : 'wechat-bind-title')}
      className="wechat-dialog"
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // A portal: the event would propagate to the form that the dialog was opened from.
          event.stopPropagation();
          submit();
        }}
      >
        <DialogBody>
          {wechat_qrcode !== '' && <img src={wechat_qrcode} alt={t('wechat-picture')} />}
          <p>{t('wechat-hint', { word: wechatWord })}</p>
          <Field label={t('wechat-code')}>
            {(id) => (
              <InputGroup
                id={id}
                size="large"
                autoComplete="one-time-code"
                value={code}
                onValueChange={setCode}
              />
            )}
          </Field>
        </DialogBody>
        <DialogFooter
          actions={
            <Button
              type="submit"
              intent="primary"
              text={t(purpose === 'login' ? 'wechat-submit' : 'wechat-bind-submit')}
              loading={isBusy}
            />
          }
        />
      </form>
    </Dialog>
  );
};
