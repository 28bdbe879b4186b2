// lib.rs: the attribute that builds a runtime which records, and runs an async main on it.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The attribute of `parklane-tokio`; use it as `#[parklane_tokio::main]`.

use proc_macro::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{parse_macro_input, ItemFn, LitBool, LitInt, LitStr, Path};

#[derive(Default)]
struct Arguments {
    flavor: Option<LitStr>,
    worker_threads: Option<LitInt>,
    start_paused: Option<LitBool>,
    env: Option<LitStr>,
    name: Option<LitStr>,
    krate: Option<Path>,
}

/// In place of `#[tokio::main]`: the same, and the runtime records as the environment says.
///
/// | argument | as | |
/// |-|-|-|
/// | `flavor` | Tokio's | `"multi_thread"` or `"current_thread"` |
/// | `worker_threads` | Tokio's | |
/// | `start_paused` | Tokio's | of the clock |
/// | `env` | a string | prefix of the variables, `"PARKLANE_"` unless given |
/// | `name` | a string | of the runtime in the trace, `"main"` unless given |
/// | `crate` | a path | to `parklane_tokio`, if it is renamed |
#[proc_macro_attribute]
pub fn main(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut parsed = Arguments::default();
    let parser = syn::meta::parser(|meta| {
        if meta.path.is_ident("flavor") {
            parsed.flavor = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("worker_threads") {
            parsed.worker_threads = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("start_paused") {
            parsed.start_paused = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("env") {
            parsed.env = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("name") {
            parsed.name = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("crate") {
            parsed.krate = Some(meta.value()?.parse()?);
        } else {
            return Err(meta.error("flavor, worker_threads, start_paused, env, name and crate are known"));
        }
        Ok(())
    });
    parse_macro_input!(arguments with parser);
    let function = parse_macro_input!(item as ItemFn);

    expand(&parsed, function).unwrap_or_else(syn::Error::into_compile_error).into()
}

fn builder(arguments: &Arguments) -> syn::Result<proc_macro2::TokenStream> {
    let flavor = arguments.flavor.as_ref().map_or_else(|| "multi_thread".into(), LitStr::value);

    match (flavor.as_str(), &arguments.worker_threads) {
        ("multi_thread", None) => Ok(quote! { new_multi_thread() }),
        ("multi_thread", Some(_)) => Ok(quote! { new_multi_thread() }),
        ("current_thread", None) => Ok(quote! { new_current_thread() }),
        ("current_thread", Some(threads)) => {
            Err(syn::Error::new(threads.span(), "a current_thread runtime has no worker threads"))
        }
        _ => Err(syn::Error::new(
            arguments.flavor.span(),
            "the flavor is \"multi_thread\" or \"current_thread\"",
        )),
    }
}

fn expand(arguments: &Arguments, function: ItemFn) -> syn::Result<proc_macro2::TokenStream> {
    let ItemFn { attrs, vis, mut sig, block } = function;
    if sig.asyncness.take().is_none() {
        return Err(syn::Error::new(sig.fn_token.span(), "the function must be async"));
    }
    if !sig.inputs.is_empty() {
        return Err(syn::Error::new(sig.inputs.span(), "the function must not take arguments"));
    }

    let new = builder(arguments)?;
    let krate = arguments.krate.as_ref().map_or_else(|| quote! { ::parklane_tokio }, |path| quote! { #path });
    let env = arguments.env.as_ref().map_or_else(|| "PARKLANE_".into(), LitStr::value);
    let name = arguments.name.as_ref().map_or_else(|| "main".into(), LitStr::value);
    let threads = arguments.worker_threads.as_ref().map(|number| quote! { builder.worker_threads(#number); });
    let paused = arguments.start_paused.as_ref().map(|paused| quote! { builder.start_paused(#paused); });
    let body = quote_spanned! { block.span() => async move #block };

    Ok(quote! {
        #(#attrs)*
        #vis #sig {
            let body = #body;
            let mut builder = #krate::__private::tokio::runtime::Builder::#new;
            builder.enable_all();
            #threads
            #paused
            let session = #krate::Config::from_env(#env).runtime_name(#name).attach(&mut builder);
            let runtime = builder.build().expect("a runtime can be built");
            #[allow(clippy::let_unit_value)]
            let result = runtime.block_on(body);
            drop(runtime);
            drop(session);
            result
        }
    })
}
