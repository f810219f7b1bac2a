import { Dialog, DialogBody } from '@blueprintjs/core';
import { useState } from 'react';

type Props = Readonly<{
  title: string;
  text: string;
  /** The text in the list; the full text when absent. */
  label?: string;
  /** Shown where there is no text. */
  none: string;
}>;

/** One line of a text; a click shows all of it. */
export const FullText = ({ title, text, label, none }: Props) => {
  const [isOpen, setOpen] = useState(false);
  if (text === '') return <span className="faint">{none}</span>;
  return (
    <>
      <button type="button" className="full-text" title={text} onClick={() => setOpen(true)}>
        {label ?? text}
      </button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={title}
        className="tg-dialog full-text-dialog"
      >
        <DialogBody>
          <pre className="plain-text">{text}</pre>
        </DialogBody>
      </Dialog>
    </>
  );
};
