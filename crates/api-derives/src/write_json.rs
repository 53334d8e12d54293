//! `WriteJson` of a struct with named fields, or of an untagged enum whose variants have one value each.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::parse_quote;
use syn::spanned::Spanned;
use syn::{Data, DataEnum, DataStruct, DeriveInput, Error, Field, Fields, Result, WherePredicate};

use crate::attributes::{FieldAttributes, TypeAttributes};

pub(crate) fn derive(item: &DeriveInput) -> Result<TokenStream> {
    let attributes = TypeAttributes::parse(&item.attrs)?;
    match &item.data {
        Data::Struct(data) => of_struct(item, &attributes, data),
        Data::Enum(data) if attributes.is_untagged => of_enum(item, data),
        Data::Enum(_) | Data::Union(_) => Err(Error::new(item.span(), "only structs and untagged enums")),
    }
}

fn of_struct(item: &DeriveInput, attributes: &TypeAttributes, data: &DataStruct) -> Result<TokenStream> {
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new(item.span(), "only structs with named fields"));
    };
    let tag = attributes.tag.iter().map(|tag| {
        let name = attributes.name.clone().unwrap_or_else(|| item.ident.to_string());
        let member = format!(",\"{tag}\":\"{name}\"");
        quote! { out.raw(#member.as_bytes()); }
    });
    let (mut members, mut bounds) = (tag.collect::<Vec<_>>(), Vec::new());
    for field in &fields.named {
        let of_field = FieldAttributes::parse(&field.attrs)?;
        members.push(member(attributes, &of_field, field));
        bounds.push(bound(&of_field, field));
    }
    let name = &item.ident;
    let mut generics = item.generics.clone();
    if item.generics.type_params().next().is_some() {
        generics.make_where_clause().predicates.extend(bounds);
    }
    let (implemented, parameters, conditions) = generics.split_for_impl();
    Ok(quote! {
        impl #implemented ::api::json::WriteMembers for #name #parameters #conditions {
            fn write_members(&self, out: &mut ::api::json::Writer) {
                #(#members)*
            }
        }

        impl #implemented ::api::json::WriteJson for #name #parameters #conditions {
            fn write_json(&self, out: &mut ::api::json::Writer) {
                out.object(self);
            }
        }
    })
}

/// The statement that writes a field. Every member begins with a comma; `Writer::object` makes the first one a brace.
fn member(attributes: &TypeAttributes, of_field: &FieldAttributes, field: &Field) -> TokenStream {
    let name = &field.ident;
    if of_field.is_flat {
        return quote! { ::api::json::WriteMembers::write_members(&self.#name, out); };
    }
    let written = || name.as_ref().map(|name| name.unraw().to_string()).unwrap_or_default();
    let key = of_field.key.clone().unwrap_or_else(|| match attributes.is_camel_case {
        true => camel_case(&written()),
        false => written(),
    });
    let key = format!(",\"{key}\":");
    let member = quote! { out.member(#key, &self.#name); };
    match &of_field.skip_if {
        Some(skips) => quote! { if !#skips(&self.#name) { #member } },
        None => member,
    }
}

/// What a generic struct needs of the type of a field.
fn bound(of_field: &FieldAttributes, field: &Field) -> WherePredicate {
    let field_type = &field.ty;
    let needed = format_ident!("{}", if of_field.is_flat { "WriteMembers" } else { "WriteJson" });
    parse_quote! { #field_type: ::api::json::#needed }
}

fn of_enum(item: &DeriveInput, data: &DataEnum) -> Result<TokenStream> {
    let arms = data.variants.iter().map(|variant| match &variant.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
            let name = &variant.ident;
            Ok(quote! { Self::#name(value) => ::api::json::WriteJson::write_json(value, out), })
        }
        _ => Err(Error::new(variant.span(), "only variants with one value")),
    });
    let arms = arms.collect::<Result<Vec<_>>>()?;
    let name = &item.ident;
    let (implemented, parameters, conditions) = item.generics.split_for_impl();
    Ok(quote! {
        impl #implemented ::api::json::WriteJson for #name #parameters #conditions {
            fn write_json(&self, out: &mut ::api::json::Writer) {
                match self { #(#arms)* }
            }
        }
    })
}

/// `event_id` becomes `eventId`, as serde does it.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut key = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        key.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        key.push_str(letters.as_str());
    }
    key
}
