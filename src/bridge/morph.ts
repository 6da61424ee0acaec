/**
 * Makes a node like another one with the least change, so that what stays keeps its scroll position, focus and listeners.
 *
 * @param kept a node that is not changed, such as the text that is being typed; undefined for none
 */
export function morph(node: Node, wanted: Node, kept: Node | undefined): void {
  if (node === kept || node.isEqualNode(wanted)) return;
  if (node.nodeName !== wanted.nodeName) return (node as ChildNode).replaceWith(wanted);
  if (!(node instanceof Element) || !(wanted instanceof Element)) return void (node.nodeValue = wanted.nodeValue);
  for (const { name } of [...node.attributes]) if (!wanted.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of [...wanted.attributes])
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  const before = [...node.childNodes];
  const after = [...wanted.childNodes];
  // What is equal at both ends stays: what is added, removed or moved is between.
  while (before[0] && after[0]?.isEqualNode(before[0])) {
    before.shift();
    after.shift();
  }
  let end: ChildNode | null = null;
  while (before.length > 0 && after.at(-1)?.isEqualNode(before.at(-1)!)) {
    end = before.pop()!;
    after.pop();
  }
  for (const [at, child] of after.entries()) {
    const old = before[at];
    if (old) morph(old, child, kept);
    else node.insertBefore(child, end);
  }
  for (const old of before.slice(after.length)) old.remove();
}
