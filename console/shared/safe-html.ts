const allowedTags = new Set(
  (
    'A ABBR B BLOCKQUOTE BR CODE DEL DIV EM FIGCAPTION FIGURE H1 H2 H3 H4 H5 H6 HR I IMG INS KBD LI ' +
    'MARK OL P PRE S SECTION SMALL SPAN STRONG SUB SUP TABLE TBODY TD TFOOT TH THEAD TR U UL CENTER FONT'
  ).split(' '),
);
const allowedAttributes = new Set([
  'href',
  'src',
  'alt',
  'title',
  'width',
  'height',
  'align',
  'color',
]);
const isSafeAddress = (value: string) => /^(https?:|mailto:|\/(?!\/)|#)/i.test(value.trim());
/** What is dropped with its content; other unknown elements leave their text behind. */
const dropped = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'IFRAME', 'OBJECT', 'EMBED', 'NOSCRIPT']);

const cleanAttributes = (element: Element): void => {
  for (const { name, value } of [...element.attributes]) {
    const isAddress = name === 'href' || name === 'src';
    if (!allowedAttributes.has(name) || (isAddress && !isSafeAddress(value))) {
      element.removeAttribute(name);
    }
  }
  if (element.tagName === 'A') {
    element.setAttribute('rel', 'noopener noreferrer');
    element.setAttribute('target', '_blank');
  }
};

const clean = (parent: Element): void => {
  for (const child of [...parent.children]) {
    if (dropped.has(child.tagName.toUpperCase())) child.remove();
    else {
      clean(child);
      if (allowedTags.has(child.tagName)) cleanAttributes(child);
      else child.replaceWith(...child.childNodes);
    }
  }
};

/**
 * HTML that an operator wrote, with nothing in it that runs. Parsed without a window, so nothing
 * loads or runs while it is looked at; what is not on the list goes.
 */
export const sanitiseHtml = (html: string): string => {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  clean(body);
  return body.innerHTML;
};
