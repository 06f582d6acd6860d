import { hash } from 'node:crypto'

/** Without it, each note has links to the next and the previous change. */
export const reviewScript = `addEventListener('keydown',(e)=>{
const step={n:1,p:-1}[e.key];
if(!step||e.ctrlKey||e.metaKey||e.altKey)return;
const id='change-'+(Number(/^#change-(\\d+)$/.exec(location.hash)?.[1]??0)+step);
if(document.getElementById(id))location.hash=id
})`

/** The Content Security Policy of a review: it runs only this script, and loads nothing. */
export const reviewPolicy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash('sha256', reviewScript, 'base64')}'`
